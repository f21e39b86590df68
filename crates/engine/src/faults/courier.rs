//! Carries out calls that are delayed, on one thread, whether or not anybody waits for their answers.
//!
//! A delay is a sleep on the engine's clock: the thread itself waits for nothing but to be woken.

use std::any::Any;
use std::collections::HashMap;
use std::future::Future;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::task::{Context, Poll, Wake, Waker};

/// The handle to the thread, which ends when it is dropped; what is still delayed then is not carried out.
#[derive(Debug)]
pub(crate) struct Courier(Sender<Message>);

type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

enum Message {
    Start(Task),
    Wake(u64),
    End,
}

impl Courier {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system has no thread to give.
    pub(crate) fn start() -> io::Result<Courier> {
        let (sender, receiver) = channel();
        let bells = sender.clone();
        std::thread::Builder::new()
            .name("keywright-courier".to_owned())
            .spawn(move || run(&receiver, &bells))?;
        Ok(Courier(sender))
    }

    /// Runs a task to its end.
    pub(crate) fn send_off(&self, task: impl Future<Output = ()> + Send + 'static) {
        // The thread ends only when this handle does.
        let _ = self.0.send(Message::Start(Box::pin(task)));
    }
}

impl Drop for Courier {
    fn drop(&mut self) {
        // The last handle may be dropped by the thread itself, which is why nobody waits for its end.
        let _ = self.0.send(Message::End);
    }
}

/// Wakes one task.
struct Bell {
    task: u64,
    messages: Sender<Message>,
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        // A thread that has ended wakes nobody.
        let _ = self.messages.send(Message::Wake(self.task));
    }
}

fn run(messages: &Receiver<Message>, bells: &Sender<Message>) {
    let mut tasks: HashMap<u64, Task> = HashMap::new();
    let mut last = 0;
    while let Ok(message) = messages.recv() {
        let number = match message {
            Message::End => return,
            Message::Wake(number) => number,
            Message::Start(task) => {
                last += 1;
                tasks.insert(last, task);
                last
            }
        };
        let Some(task) = tasks.get_mut(&number) else { continue };
        let waker = Waker::from(Arc::new(Bell { task: number, messages: bells.clone() }));
        match catch_unwind(AssertUnwindSafe(|| task.as_mut().poll(&mut Context::from_waker(&waker)))) {
            Ok(Poll::Pending) => {}
            Ok(Poll::Ready(())) => drop(tasks.remove(&number)),
            Err(panic) => {
                tasks.remove(&number);
                let message = text_of(panic.as_ref());
                tracing::error!(message, "a delayed call panicked");
            }
        }
    }
}

fn text_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}
