//! KW08: what is said of streams and their consumers.

use crate::{TABLE, found};

fn with_consumer(stream: &str, needs: &str) -> String {
    let table = TABLE.replace("stream = false\n", stream);
    format!(
        "{table}\n[entity.user]\npartition_key = \"USER#{{user_id}}\"\nsort_key = \"USER\"\n\n[consumer.search]\nneeds = \
         \"{needs}\"\nbatch_size = 10\nretries = 3\nidempotent_by = \"the user's id\"\ndead_letters = \"search-dlq\"\n"
    )
}

#[test]
fn a_view_carries_what_is_needed_or_it_is_said() {
    let views = ["keys-only", "new-image", "old-image", "new-and-old-images"];
    let cases = [
        ("keys", [true, true, true, true]),
        ("new-image", [false, true, false, true]),
        ("old-image", [false, false, true, true]),
        ("both-images", [false, false, false, true]),
    ];
    for (needs, carried) in cases {
        for (view, is_carried) in views.into_iter().zip(carried) {
            let text = with_consumer(&format!("stream = \"{view}\"\n"), needs);
            assert_eq!(found(&text, "KW0823").is_empty(), is_carried, "{needs} of {view}");
        }
    }
}

#[test]
fn a_stream_that_a_consumer_lacks_is_asked_for_once() {
    for stream in ["", "stream = false\n"] {
        let text = with_consumer(stream, "new-image");
        assert_eq!(found(&text, "KW0822"), ["consumer.search.table"]);
        assert_eq!(found(&text, "KW0507"), [""; 0]);
        assert_eq!(found(&text, "KW0823"), [""; 0]);
    }
}

#[test]
fn keys_and_both_images_see_deletes() {
    let expiring = |needs: &str| {
        with_consumer("stream = \"new-and-old-images\"\n", needs).replace(
            "sort_key = \"USER\"\n",
            "sort_key = \"USER\"\nattributes = { expires_at = \"time-to-live\" }\n",
        )
    };
    assert_eq!(found(&expiring("new-image"), "KW0824"), ["consumer.search.needs"]);
    for needs in ["keys", "old-image", "both-images"] {
        assert_eq!(found(&expiring(needs), "KW0824"), [""; 0], "{needs}");
    }
}
