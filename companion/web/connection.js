// For all pages of a table: stay connected, and say in #lost since when there is no connection, and why.
"use strict";

// `path`: the stream; `events`: what to do with each kind of its events.
function connected(path, events) {
  const SILENCE_MS = 25000; // the server sends a beat every 10 s: two were missed
  const AGAIN_MS = 3000;
  const PUT_AWAY = "This game was put away: the page comes back with the next one.";
  const lost = document.getElementById("lost");
  let source = null, heard = Date.now(), since = null, timer = 0;
  let between = false; // the game was put away, and the next one serves this page again

  // At the end of summer time an hour repeats: if this time was shown an hour ago too, it is the second.
  const timeOf = (date) => {
    const time = date.toLocaleTimeString();
    return new Date(date.getTime() - 3_600_000).toLocaleTimeString() === time ? `${time} (2nd)` : time;
  };
  const speaks = () => {
    heard = Date.now();
    since = null;
    between = false;
    lost.hidden = true;
  };
  const silent = (why) => {
    if (since === null) since = timeOf(new Date());
    lost.textContent = `Not connected since ${since}. ${why}`;
    lost.hidden = false;
  };
  // An EventSource does not report why it was refused, so load the page, which says it.
  const ask = async () => {
    try {
      const { status, headers } = await fetch(location.pathname, { method: "HEAD", cache: "no-store" });
      if (headers.get("companion-state")) {
        between = true;
        return PUT_AWAY;
      }
      if (status === 403) return "This address is not valid any more: scan the code again.";
      if (status === 503) return "Too many pages are open: close one; this one tries again.";
      return "Trying again.";
    } catch {
      return between ? PUT_AWAY : "The companion does not answer; trying again. Did it change networks? Scan the code again.";
    }
  };
  const open = () => {
    clearTimeout(timer);
    timer = 0;
    source?.close();
    heard = Date.now();
    source = new EventSource(path);
    for (const [kind, heed] of Object.entries({ beat: () => {}, ...events })) {
      source.addEventListener(kind, (message) => {
        speaks();
        heed(message);
      });
    }
    source.addEventListener("gone", (message) => {
      source.close();
      between = Boolean(message.data);
      again();
    });
    source.addEventListener("error", again);
  };
  const again = async () => {
    if (timer) return;
    source.close();
    timer = setTimeout(open, AGAIN_MS);
    silent("Trying again.");
    const why = await ask();
    if (since !== null) silent(why);
  };
  const wake = () => {
    if (document.visibilityState === "visible" && (since !== null || Date.now() - heard > SILENCE_MS)) open();
  };
  document.addEventListener("visibilitychange", wake);
  addEventListener("pageshow", wake);
  addEventListener("online", wake);
  addEventListener("offline", () => again());
  setInterval(() => { if (Date.now() - heard > SILENCE_MS && !timer) again(); }, 1000);
  open();
}
