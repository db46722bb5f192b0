use std::process::{Child, Command, Stdio};
use std::sync::Mutex;

use super::*;

/// The folder of a test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        Self(without_home().join(format!("turns-{name}-{}", std::process::id())))
    }

    fn waiting(&self) -> usize {
        numbers(&self.0.join("algebra.queue")).map_or(0, Iterator::count)
    }

    /// Waits until the queue, with the one whose turn it is, is so long.
    fn until(&self, length: usize) {
        let start = Instant::now();
        while self.waiting() != length {
            assert!(start.elapsed() < Duration::from_secs(60), "{} tickets, not {length}", self.waiting());
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const FOLDER_OF_CHILD: &str = "RANKINE_TEST_TURNS";

/// A process that takes a turn and keeps it.
fn child(folder: &Folder) -> Child {
    // A process that is not yet another program has all files of this one open, what Symbolica locks for a thread included.
    // Another test that begins a session meanwhile would be a second thread.
    let _no_session = Turn::wait(&super::folder(), "of no law").unwrap();
    Command::new(std::env::current_exe().unwrap())
        .args(["turns::tests::a_child_takes_a_turn", "--exact", "--quiet"])
        .env(FOLDER_OF_CHILD, &folder.0)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn a_child_takes_a_turn() {
    if let Some(folder) = std::env::var_os(FOLDER_OF_CHILD) {
        let _turn = Turn::wait(Path::new(&folder), "of_child").unwrap();
        std::thread::sleep(Duration::from_secs(120));
    }
}

#[test]
fn threads_have_their_turns_in_the_order_in_which_they_came() {
    let folder = Folder::new("order");
    let first = Turn::wait(&folder.0, "first").unwrap();
    let served = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        let (folder, served) = (&folder, &served);
        for i in 0..8 {
            scope.spawn(move || {
                let _turn = Turn::wait(&folder.0, "later").unwrap();
                served.lock().unwrap().push(i);
            });
            folder.until(i + 2);
        }
        assert!(served.lock().unwrap().is_empty());
        drop(first);
    });
    assert_eq!(served.into_inner().unwrap(), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(folder.waiting(), 0);
}

#[test]
fn a_process_that_dies_gives_its_turn_and_its_place_to_the_next() {
    let folder = Folder::new("killed");
    let holder = child(&folder);
    folder.until(1);
    let waiter = child(&folder);
    folder.until(2);
    let start = Instant::now();
    while !waiting(&path(&folder.0)).contains("`of_child`") {
        assert!(start.elapsed() < Duration::from_secs(60));
    }
    let name = format!("process {} has checked `of_child` for", holder.id());
    assert!(waiting(&path(&folder.0)).contains(&name), "{}", waiting(&path(&folder.0)));
    std::thread::scope(|scope| {
        let next = scope.spawn(|| Turn::wait(&folder.0, "next").unwrap());
        folder.until(3);
        // First one that waits, so that nobody removes its ticket while the turn is another's, then the one whose turn it is.
        for mut process in [waiter, holder] {
            assert!(!next.is_finished());
            process.kill().unwrap();
            process.wait().unwrap();
        }
        let turn = next.join().unwrap();
        assert!(waiting(&path(&folder.0)).contains("`next`"));
        drop(turn);
    });
    assert!(waiting(&path(&folder.0)).starts_with("waiting for another check of a law to finish (its lock is"));
}

#[test]
fn a_lock_is_made_for_its_user_alone_and_no_link_is_followed() {
    let above = Folder::new("links");
    let (folder, elsewhere) = (above.0.join("rankine"), above.0.join("elsewhere"));
    let path = path(&folder);
    assert!(open(&path).is_ok() && path.is_file());
    assert_eq!(std::fs::metadata(&folder).unwrap().mode() & 0o777, 0o700);
    std::fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
    assert!(open(&path).is_err() && !elsewhere.exists());
}
