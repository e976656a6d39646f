"use strict";
(() => {
  const KEEP_MS = 60000; // an older message may be wrong by now: report it, do not send it
  const AGAIN_MS = 1000;
  const ANSWER_MS = 8000; // for one try; the server waits 3 s for its disk
  const READ_MS = 5000; // for reading an answer, also if the table goes on meanwhile
  const said = document.getElementById("sent");
  const { place } = document.querySelector("main").dataset; // a note ends with its game
  document.getElementById("note").hidden = false;
  const key = `notes ${location.pathname}`;
  const address = location.pathname.replace(/\/?$/, "/notes");
  let queue = [], busy = false;

  // Waiting notes survive a reload of the page, but not the end of its tab.
  try { queue = JSON.parse(sessionStorage.getItem(key)) ?? []; } catch { queue = []; }
  const keep = () => { try { sessionStorage.setItem(key, JSON.stringify(queue)); } catch { return; } };
  let saidAt = 0, fading = 0;
  const say = (words, alarm) => {
    clearTimeout(fading);
    saidAt = Date.now();
    said.textContent = words;
    said.classList.toggle("alarm", alarm);
  };
  // A refusal stays in view while the messages sent after it are saved.
  let refused = [];
  const report = (words, alarm) => {
    if (alarm) refused.push(words);
    say([...refused, ...(alarm ? [] : [words])].join(" "), refused.length > 0);
  };
  // randomUUID exists in a secure context only.
  const fresh = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const answersIn = (form) => Object.fromEntries(new FormData(form));
  const same = (one, other) => JSON.stringify({ ...one, id: 0, at: 0 }) === JSON.stringify({ ...other, id: 0, at: 0 });

  const clear = (note) => {
    const form = document.getElementById(note.form);
    if (form && same({ answers: answersIn(form) }, { answers: note.answers })) form.reset();
  };
  const post = async (note) => {
    try {
      const answer = await fetch(address, {
        method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(note),
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      const words = await answer.json().then((body) => body.said, () => "This address is not valid any more: scan the code again.");
      return [answer.status, words];
    } catch { return [0, "Offline."]; }
  };
  const send = async () => {
    if (busy) return;
    busy = true;
    while (queue.length) {
      const { at, form, ...note } = queue[0];
      if (Date.now() - at > KEEP_MS) {
        queue.shift();
        keep();
        report("No answer for a minute. Look if it is shown here; if not, send it again.", true);
        continue;
      }
      if (note.enter) note.waited_ms = Math.max(0, Math.round(Date.now() - at)); // until this try; the try itself, up to ANSWER_MS, is not measured
      const [status, words] = await post(note);
      if (status === 0 || status === 408 || status === 429 || status === 503) {
        const many = queue.length === 1 ? "1 message is waiting" : `${queue.length} messages are waiting`;
        say(`${words} ${many} on this phone.`, true);
        await new Promise((go) => setTimeout(go, AGAIN_MS));
        continue;
      }
      queue.shift();
      keep();
      report(words, status !== 200);
      if (status === 200 && note.answers) clear({ form, answers: note.answers });
    }
    busy = false;
  };

  // An answer is about the moment of its message: it goes once the table has gone on.
  document.addEventListener("patched", ({ detail }) => {
    if (queue.length || !said.textContent || !detail.some((part) => ["state", "note"].includes(part))) return;
    clearTimeout(fading);
    fading = setTimeout(() => {
      refused = [];
      say("", false);
    }, Math.max(0, saidAt + READ_MS - Date.now()));
  });
  document.addEventListener("submit", (event) => {
    const { line, back, propose, enter } = event.target.dataset;
    event.preventDefault();
    const answers = answersIn(event.target);
    if ((line || enter) && Object.values(answers).some((word) => !word.trim())) {
      say("Enter it first.", true);
      return;
    }
    const content = line ? { line, answers } : enter ? { enter, answers } : propose ? { propose } : { back: Number(back) };
    const note = { id: fresh(), at: Date.now(), place, form: event.target.id, ...content };
    // The page does not show yet what is being sent, so a press for another one would be refused as outdated.
    if (queue.some((waiting) => same(waiting, note))) {
      const again = propose || (enter && !Object.keys(answers).length);
      say(again ? "Already sending. Once it is saved, you can press again." : "Already sending.", true);
      return;
    }
    if (!queue.length) refused = [];
    queue.push(note);
    keep();
    say("Sending.", false);
    send();
  });
  send();
})();
