//! Keys of capacity and its price.

use crate::file::form::{Form, Key, Section};

/// `billing = { on_demand = { .. } }`
pub(crate) static ON_DEMAND: Section = Section {
    called: "on-demand billing",
    keys: &[Key::required(
        "on_demand",
        Form::Table(&ON_DEMAND_CEILING),
        "The most units a second that the table serves: the ceiling that keeps a runaway loop from becoming an invoice.",
        &["on_demand = { read = 4000, write = 2000 }"],
    )],
};

/// The ceiling.
pub(crate) static ON_DEMAND_CEILING: Section = Section {
    called: "`on_demand`",
    keys: &[
        Key::required("read", Form::from(1), "Read units a second at most.", &["read = 4000"]),
        Key::required("write", Form::from(1), "Write units a second at most.", &["write = 2000"]),
    ],
};

/// What is provisioned for a table or a global index.
pub(crate) static PROVISIONED: Section = Section {
    called: "provisioned capacity",
    keys: &[
        Key::required("read", Form::from(1), "Read units a second.", &["read = 100"]),
        Key::required("write", Form::from(1), "Write units a second.", &["write = 50"]),
        Key::optional(
            "autoscaling",
            Form::Table(&AUTOSCALING),
            "the units are fixed",
            "How the units follow the load.",
            &["autoscaling = { target_percent = 70, read = { least = 5, most = 500 }, write = { least = 5, most = 200 } }"],
        )
        .also(&["auto_scaling", "scaling"]),
    ],
};

static AUTOSCALING: Section = Section {
    called: "`autoscaling`",
    keys: &[
        Key::required(
            "target_percent",
            Form::Whole { least: 20, most: 90 },
            "The used share of the provisioned units that is aimed at, in percent: 20 to 90.",
            &["target_percent = 70"],
        )
        .also(&["target", "target_utilization"]),
        Key::required(
            "read",
            Form::Table(&BOUNDS),
            "Between which read units a second.",
            &["read = { least = 5, most = 500 }"],
        ),
        Key::required(
            "write",
            Form::Table(&BOUNDS),
            "Between which write units a second.",
            &["write = { least = 5, most = 200 }"],
        ),
    ],
};

static BOUNDS: Section = Section {
    called: "a range of units",
    keys: &[
        Key::required("least", Form::from(1), "Units a second at least.", &["least = 5"])
            .also(&["min", "minimum"]),
        Key::required("most", Form::from(1), "Units a second at most; not below `least`.", &["most = 500"])
            .also(&["max", "maximum"]),
    ],
};
