// For pages of roles: a tap asks the table to do something, and its answer is shown near the finger. Nothing is queued:
// what the table did not answer is said, and only a person sends it again.
"use strict";
(() => {
  const GUARD_MS = 300; // a person needs this long to see that a button has changed
  const ANSWER_MS = 8000;
  const AGAIN_MS = 1000;
  const DONE_MS = 4000; // how long "done" stays in view; a refusal stays until the next tap
  const MOVED = 8; // pixels that a button may move and still be where the finger aims
  const PAUSED = "The game is paused: this can be entered once it goes on.";
  const TOO_SOON = "This button has just changed: nothing was done. Tap again.";
  const UNANSWERED = "No answer: it may not have been recorded. If the page does not show it, tap again.";
  const { place } = document.querySelector("main").dataset; // a tap ends with its game
  const address = location.pathname.replace(/\/?$/, "/do");
  const said = document.getElementById("said"), lost = document.getElementById("lost"), sheet = document.getElementById("sheet");
  const make = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
    made.append(...children);
    return made;
  };
  const fresh = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const seen = () => Number(document.querySelector("[data-seen]")?.dataset.seen ?? 0);
  let heardUs = 0, heardAt = 0; // the host's clock, as the page last heard it, and when that was by the page's own
  document.addEventListener("heard", ({ detail }) => {
    heardUs = Number(detail) || heardUs;
    heardAt = performance.now();
  });
  setInterval(() => {
    const clock = document.querySelector("[data-zero]");
    if (!clock || !heardUs) return;
    const seconds = Math.max(0, Math.floor((heardUs + (performance.now() - heardAt) * 1000 - clock.dataset.zero) / 1e6));
    const words = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    if (clock.textContent !== words) clock.textContent = words;
  }, 100);

  // Which of the pages with this code it is; its name is the one that it was given.
  const device = { id: fresh(), name: document.querySelector("main").dataset.device };
  try { // tabs of one browser are one device
    device.id = localStorage.getItem("device") ?? device.id;
    localStorage.setItem("device", device.id);
  } catch { /* a private window keeps its id as long as it is open */ }

  // -- the answer, near the finger

  let fading = 0, spot = null;
  const GAP = 6, STEP = 8; // pixels
  const KEPT_CLEAR = "button, select, input, summary, .chip, a[href], .lesson, .awaiting";
  const within = (least, value, most) => Math.max(least, Math.min(value, most));
  const away = (begin, end, other, otherEnd) => Math.max(0, other - end, begin - otherEnd); // 0 if the two overlap
  // Returns where a message of that size covers the least of what people read or tap next, as near to the finger as that is.
  const clearPlace = (wide, high) => {
    const shown = [...document.querySelectorAll(KEPT_CLEAR)].filter((each) => each.offsetParent && !said.contains(each));
    const boxes = shown.map((each) => each.getBoundingClientRect()).filter(({ top, bottom }) => bottom > 0 && top < innerHeight);
    const right = innerWidth - wide - GAP;
    const lefts = [spot.left, spot.right + GAP, spot.left - wide - GAP, GAP, right].map((left) => within(GAP, left, right));
    let best = { covered: Infinity, far: Infinity };
    for (let top = GAP; top <= innerHeight - high - GAP; top += STEP) {
      for (const left of lefts) {
        const covers = ({ left: x, right: r, top: y, bottom: b }) => Math.max(0, Math.min(r, left + wide) - Math.max(x, left)) * Math.max(0, Math.min(b, top + high) - Math.max(y, top));
        const covered = boxes.reduce((sum, box) => sum + covers(box), 0), far = away(spot.left, spot.right, left, left + wide) + away(spot.top, spot.bottom, top, top + high);
        if (covered < best.covered || (covered === best.covered && far < best.far)) best = { covered, far, top, left };
      }
    }
    return best;
  };
  const lay = () => {
    if (!spot || sheet.open || said.hidden) return;
    const wide = said.offsetWidth, high = said.offsetHeight, room = innerHeight - high - GAP, below = spot.bottom + GAP;
    let top = within(GAP, below <= room ? below : spot.top - high - GAP, room), left = within(GAP, spot.left, innerWidth - wide - GAP);
    // A refusal is about the button itself and stays beside it; after what was recorded, people look for the next one.
    if (said.className === "done" && room > GAP) ({ top, left } = clearPlace(wide, high));
    said.style.top = `${top}px`;
    said.style.left = `${left}px`;
  };
  document.addEventListener("patched", () => { if (said.className === "done") lay(); });
  const say = (words, kind = "", buttons = []) => {
    clearTimeout(fading);
    said.className = kind;
    said.replaceChildren(make("span", {}, words), ...buttons);
    said.hidden = !words;
    (sheet.open ? sheet : document.body).append(said); // an open sheet covers everything else
    lay();
    if (kind === "done") fading = setTimeout(() => say(""), DONE_MS);
  };

  // -- sending

  let actedAt = 0; // when this page asked for something
  let unanswered = null; // the last tap without an answer: a repeat of it keeps its id
  const post = async (tap) => {
    try {
      const answer = await fetch(address, {
        method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(tap), signal: AbortSignal.timeout(ANSWER_MS),
      });
      const body = await answer.json().catch(() => ({}));
      return [answer.status, body];
    } catch { return [0, {}]; }
  };
  const send = async (wish, again = 0) => {
    const asks = JSON.stringify(wish), now = seen();
    const isRepeat = unanswered && unanswered.asks === asks && unanswered.seen === now && !again;
    const id = isRepeat ? unanswered.id : fresh();
    unanswered = null;
    // A computer without any network calls itself offline, and yet reaches a companion of its own.
    if (!navigator.onLine && !lost.hidden) {
      say("Offline: nothing was sent.", "alarm");
      return false;
    }
    if (!heardUs) {
      say("This page is not connected yet. Wait a moment, then tap again.", "alarm");
      return false;
    }
    say("Sending.");
    actedAt = Date.now();
    const tap = { id, place, seen: now, heard: heardUs, again, device, wish }, began = Date.now();
    let [status, body] = await post(tap);
    // Recorded, but not on the disk yet: the same tap again asks whether it is by now.
    while (status === 503 && body.said && Date.now() - began < ANSWER_MS) {
      say(body.said, "alarm");
      await new Promise((go) => setTimeout(go, AGAIN_MS));
      [status, body] = await post(tap);
    }
    if (status === 0) {
      unanswered = { asks, id, seen: now };
      say(UNANSWERED, "alarm");
    } else if (status === 200) {
      if (sheet.open) sheet.close();
      const quits = wish.kind === "session" && wish.do === "quit";
      if (quits) { // nothing here does anything any more
        document.dispatchEvent(new Event("left"));
        document.body.classList.add("left");
      }
      if (body.outcome === "asked") say(""); // the page shows the question, with its answers
      else say(body.said || "Done.", quits ? "" : "done");
      return true;
    } else if (status === 409 && body.outcome === "same") {
      const yes = make("button", { type: "button", class: "main" }, "Yes"), no = make("button", { type: "button" }, "No");
      yes.addEventListener("click", () => send(wish, body.again));
      no.addEventListener("click", () => say(""));
      say(body.said, "alarm", [yes, no]);
      no.focus();
    } else if (status === 503) {
      say(body.said || "This page is not ready yet: it tries again by itself.", "alarm");
    } else {
      say(body.said || (status === 403 ? "This address is not valid any more: scan the code again." : `Refused (${status}).`), "alarm");
    }
    return false;
  };

  // -- buttons that have just changed

  // Whoever taps far down the page is led to what is asked next, if that is out of view.
  const LEADS_MS = 3000;
  const topOf = () => document.querySelector(".lesson")?.getBoundingClientRect().bottom ?? 0;
  const isInView = (each) => {
    const box = each.getBoundingClientRect(), bar = document.getElementById("undo");
    const end = bar.contains(each) ? innerHeight : Math.min(innerHeight, bar.getBoundingClientRect().top || innerHeight);
    return box.top >= topOf() - MOVED && box.bottom <= end + MOVED;
  };
  const request = () => [".awaiting", ".lesson"].map((each) => document.querySelector(each)?.textContent).join();
  let asked = request();
  const lead = () => {
    const before = asked, now = document.querySelector(".awaiting");
    asked = request();
    if (!now || asked === before || Date.now() - actedAt > LEADS_MS || sheet.open) return;
    if (!isInView(now)) now.scrollIntoView({ block: "start", behavior: "instant" });
    const aimed = aim();
    if (aimed && !isInView(aimed)) aimed.scrollIntoView({ block: "center", behavior: "instant" });
    if (said.className === "done") lay(); // it was laid beside what has moved now
  };
  const changed = new WeakMap(); // element -> when it got its present meaning or place
  const aims = () => [...document.querySelectorAll("main [data-wish], main [data-open]")].filter((each) => each.offsetParent);
  const means = ({ dataset: { wish, open, kind = "" }, parentElement }) => wish ?? `${open} ${kind} ${parentElement?.closest("[id]")?.id}`;
  let before = new Map();
  document.addEventListener("patching", () => { before = new Map(aims().map((each) => [means(each), each.getBoundingClientRect()])); });
  document.addEventListener("patched", () => {
    lead();
    for (const each of aims()) {
      const was = before.get(means(each)), is = each.getBoundingClientRect();
      if (!was || Math.abs(was.top - is.top) > MOVED || Math.abs(was.left - is.left) > MOVED) changed.set(each, performance.now());
    }
  });
  const isFresh = (each) => performance.now() - (changed.get(each) ?? -GUARD_MS) < GUARD_MS;
  let pressed = ""; // what the button under the finger meant as it was touched
  document.addEventListener("pointerdown", ({ target }) => {
    const aimed = target.closest?.("[data-wish], [data-open]");
    pressed = aimed ? means(aimed) : "";
  });

  // -- what is asked for

  const dataOf = () => JSON.parse(document.getElementById("form-data")?.textContent ?? '{"seats": [], "forms": {}}');
  let count = 0;
  const labelled = (label, control, takes) => {
    control.id = `ask-${count++}`;
    const parts = [make("label", { for: control.id }, label), control];
    if (takes) {
      const hint = make("p", { class: "soft", id: `${control.id}-takes` }, takes);
      control.setAttribute("aria-describedby", hint.id);
      parts.push(hint);
    }
    return make("div", { class: "field" }, ...parts);
  };
  const chips = (label, name, pairs, type, chosen) => {
    const parts = pairs.map(([value, shown, glyph, tone]) => {
      const mark = glyph ? [make("span", { class: `mark ${tone}`, "aria-hidden": "true" }, glyph)] : [];
      const input = make("input", { type, name, value, id: `ask-${count++}`, checked: chosen.includes(value) });
      return make("label", { class: "chip", for: input.id }, input, make("span", {}, ...mark, shown));
    });
    return make("fieldset", { class: "field" }, make("legend", {}, label), make("div", { class: "chips" }, ...parts));
  };
  const options = (pairs, value) => pairs.map(([each, shown, glyph]) => make("option", { value: each, selected: each === value }, glyph ? `${glyph} ${shown}` : shown));
  const rulings = () => [...document.querySelectorAll("[data-entry]")].map((row) => [row.dataset.entry, row.querySelector("span").textContent]);
  const MOST_CHIPS = 8;
  const fieldOf = (field, seats, word) => {
    const { name, label, kind, required, none, least, most, takes } = field;
    const value = word ?? "";
    const pairs = kind.startsWith("seat") ? seats : kind === "flag" ? [["yes", "yes"], ["no", "no"]] : kind === "entry" ? rulings() : field.choices ?? [];
    if (["seats", "choices"].includes(kind)) {
      const fieldset = chips(label, name, pairs, "checkbox", value ? JSON.parse(value) : []);
      fieldset.dataset.several = name;
      return fieldset;
    }
    if (["seat", "choice", "flag", "entry"].includes(kind)) {
      const all = none ? [[none, kind === "seat" ? "nobody" : "nothing"], ...pairs] : required ? pairs : [["", "-"], ...pairs];
      if (all.length <= MOST_CHIPS && kind !== "entry") return chips(label, name, all, "radio", [value]);
      return labelled(label, make("select", { name }, ...options(required && !value ? [["", "choose"], ...all] : all, value)));
    }
    const type = kind === "number" ? "number" : "text";
    return labelled(label, make("input", { type, name, value, min: kind === "number" ? least : undefined, max: kind === "number" ? most : undefined,
      step: type === "number" ? 1 : undefined, autocomplete: "off", autocapitalize: "off", maxlength: type === "text" ? 400 : undefined }), takes);
  };
  // A pause refuses some kinds of facts. A form for one that is open meanwhile keeps what was typed, and waits.
  const stopped = () => document.querySelector("[data-stopped]")?.dataset.stopped.split(" ") ?? [];
  const hold = () => {
    const form = sheet.querySelector("form");
    if (!form) return;
    const kinds = stopped(), kind = form.wish.kind === "fact" ? form.wish.fact : form.records;
    const waits = kinds.includes(kind), held = form.querySelector(".held"), words = waits ? PAUSED : "";
    form.querySelector("button[type=submit]").disabled = waits;
    if (held.textContent !== words) held.textContent = words;
    if (form.wish.kind !== "fact") return;
    for (const option of form.querySelectorAll(".kinds option")) option.hidden = option.disabled = option.value !== kind && kinds.includes(option.value);
  };
  document.addEventListener("patched", hold);
  const open = (title, fields, wish, note = "", does = "Enter", records = "") => {
    const cancel = make("button", { type: "button" }, "Cancel"), enter = make("button", { type: "submit", class: does === "Delete" ? undefined : "main" }, does);
    const held = make("p", { class: "alarm held", role: "status" });
    const form = make("form", {}, make("h2", { id: "sheet-title" }, title), ...(note ? [make("p", {}, note)] : []), ...fields, held, make("div", { class: "steps" }, enter, cancel));
    form.wish = wish;
    form.records = records;
    cancel.addEventListener("click", () => sheet.close());
    say("");
    sheet.replaceChildren(form);
    hold();
    if (!sheet.open) sheet.showModal();
    mark();
    (form.querySelector("input, select") ?? enter).focus();
  };
  const why = (fields, seats) => {
    const parts = fields.some(({ name }) => name === "reason") ? [] : [labelled("Reason", make("input", { type: "text", name: "why", "data-own": true, autocomplete: "off", maxlength: 200 }))];
    parts.push(labelled("Decided by", make("select", { name: "who", "data-own": true }, ...options([["", "the table"], ...seats], ""))));
    return make("details", {}, make("summary", {}, parts.length > 1 ? "Reason, decided by" : "Decided by whom"), ...parts);
  };
  const openFact = (wish, title, kind = "", words = {}) => {
    const { seats, forms } = dataOf();
    const body = make("div", {});
    const show = (chosen) => {
      if (wish.kind !== "change") wish.fact = chosen;
      const { fields } = forms[chosen] ?? { fields: [] };
      if (chosen) body.replaceChildren(...fields.map((field) => fieldOf(field, seats, words[field.name])), why(fields, seats));
      else body.replaceChildren();
    };
    const parts = [];
    if (!kind) {
      const group = (label, people) => make("optgroup", { label }, ...Object.entries(forms).filter(([, form]) => form.people === people).map(([each, form]) => make("option", { value: each }, form.title)));
      const which = make("select", { class: "kinds" }, make("option", { value: "" }, "choose"), group("The game", false), group("People and scores", true));
      which.addEventListener("change", () => { show(which.value); hold(); mark(); });
      parts.push(labelled("What happened", which));
    }
    if (wish.kind === "missed") {
      const places = [...rulings().map(([n, words]) => [n, `after: ${words}`]), ["0", "before everything"]];
      parts.push(labelled("When", make("select", { name: "after", "data-own": true }, ...options(places, places[0][0]))));
    }
    show(kind);
    open(title, [...parts, body], wish);
  };
  const openers = {
    fact: () => openFact({ kind: "fact" }, "Enter something else"),
    kind: ({ textContent, dataset }) => openFact({ kind: "fact" }, textContent, dataset.kind, JSON.parse(dataset.words ?? "{}")),
    missed: () => openFact({ kind: "missed" }, "Add a missed one"),
    fix: (button) => {
      const row = button.closest("[data-entry]"), words = row.querySelector("span").textContent;
      const { entry, kind, words: answers, deleted } = row.dataset;
      const wish = { kind: "delete", entry: Number(entry), restore: deleted !== undefined };
      if (wish.restore) return open(words, [], wish, "It is deleted.", "Restore");
      const change = make("button", { type: "button" }, "Change it");
      change.addEventListener("click", () => openFact({ kind: "change", entry: wish.entry }, `Change: ${words}`, kind, JSON.parse(answers)));
      const fields = dataOf().forms[kind]?.fields.length ? [make("div", { class: "steps" }, change)] : [];
      return open(words, [...fields, why([], dataOf().seats)], wish, "", "Delete");
    },
    numbers: (button) => {
      const wish = JSON.parse(button.dataset.wish), rows = JSON.parse(button.dataset.rows);
      const fields = rows.map((row, at) => labelled(row, make("input", { type: "number", step: 1, value: wish.shown[at] ?? undefined, autocomplete: "off" })));
      open(wish.grid, fields, wish, "", "Enter", button.dataset.records);
    },
  };
  const numbersIn = (form) => [...form.querySelectorAll("input[type=number]")].map((input) => input.value.trim());
  // Returns the wish of a form, or nothing if an answer is missing, which it says.
  const wishOf = (form) => {
    const wish = form.wish ?? JSON.parse(form.dataset.wish);
    if (wish.kind === "numbers") {
      const numbers = numbersIn(form);
      if (numbers.some((word) => !/^[+-]?\d{1,7}$/.test(word))) { say("Type a whole number first.", "alarm"); return null; }
      return { ...wish, numbers: numbers.map(Number) };
    }
    if (wish.fact === "") { say("Choose what happened first.", "alarm"); return null; }
    const made = { ...wish };
    if (["fact", "change", "missed"].includes(wish.kind) && !wish.body) made.fields = { ...wish.fields };
    for (const each of form.querySelectorAll("[data-own]")) if (each.value) made[each.name] = each.name === "after" ? Number(each.value) : each.value;
    for (const each of form.querySelectorAll("[data-several]")) {
      made.fields[each.dataset.several] = JSON.stringify([...each.querySelectorAll("input:checked")].map(({ value }) => value));
    }
    for (const each of form.querySelectorAll("input[name]:not([data-own], [type=checkbox]), select[name]:not([data-own])")) {
      if ((each.type !== "radio" || each.checked) && each.value !== "") made.fields[each.name] = each.value;
    }
    const names = form.dataset.names ? JSON.parse(form.dataset.names) : [];
    const missing = names.find((name) => form.querySelector(`[name="${name}"]`) && !form.querySelector(`[name="${name}"]:checked`));
    if (missing) { say("Choose one of each first.", "alarm"); return null; }
    return made;
  };

  // -- where the step of a lesson is done

  // What is tapped next for it: one tap after the other, until there is nothing left but to send it.
  const unchosen = (form, words, names) => {
    for (const name of names) {
      const chips = [...form.querySelectorAll(`input[name="${name}"]`)].filter(({ type }) => ["radio", "checkbox"].includes(type));
      const values = chips.length && chips[0].type === "checkbox" ? JSON.parse(words[name]) : [words[name]];
      const chip = chips.find((each) => values.includes(each.value) && !each.checked);
      if (chip) return chip.closest(".chip");
      const field = chips.length ? null : form.querySelector(`select[name="${name}"], input[name="${name}"]`);
      if (field && (field.options ? field.value !== words[name] : !field.value)) return field;
    }
    return form.querySelector("button[type=submit]");
  };
  const aim = () => {
    const { aim: asked, kind, words: told = "{}", whose } = document.querySelector("[data-show]")?.dataset ?? {};
    const words = JSON.parse(told), asks = (each) => JSON.parse(each.dataset.wish ?? "{}");
    const form = sheet.open ? sheet.querySelector("form") : null;
    if (form) {
      if (!kind || form.wish.kind !== "fact") return form.records && form.records === kind ? [...form.querySelectorAll("input")].find(({ value }) => !value) ?? form.querySelector("button[type=submit]") : null;
      return form.wish.fact === kind ? unchosen(form, words, Object.keys(words)) : form.querySelector(".kinds");
    }
    const all = [...document.querySelectorAll("main [data-wish], main [data-open]")];
    const chosen = kind && all.find((each) => each.matches("form.choice") && asks(each).fact === kind);
    return (asked && all.find((each) => each.dataset.wish === asked))
      || (chosen && unchosen(chosen, words, JSON.parse(chosen.dataset.names)))
      || (kind && all.find((each) => each.dataset.records === kind && each.dataset.open === "numbers" && asks(each).seat === whose))
      || (kind && all.find((each) => each.dataset.open === "kind" && each.dataset.kind === kind))
      || (kind && all.find((each) => each.dataset.open === "fact"));
  };
  let step = "";
  const mark = () => {
    const lesson = document.querySelector(".lesson"), aimed = aim();
    for (const each of document.querySelectorAll(".aimed")) each.classList.toggle("aimed", each === aimed);
    if (aimed) aimed.classList.add("aimed");
    if (lesson && lesson.textContent !== step) {
      step = lesson.textContent;
      lesson.scrollTop = 0;
    }
  };
  document.addEventListener("patched", mark);
  document.addEventListener("change", mark);
  document.addEventListener("input", mark);
  sheet.addEventListener("close", mark);
  mark();
  document.addEventListener("click", ({ target }) => {
    const aimed = target.closest?.("[data-show]") && aim();
    if (!aimed) return;
    for (let each = aimed; each; each = each.parentElement) if (each.matches("details")) each.open = true;
    const moves = matchMedia("(prefers-reduced-motion: no-preference)").matches;
    aimed.scrollIntoView({ block: aimed.offsetHeight > innerHeight / 3 ? "start" : "center", behavior: moves ? "smooth" : "auto" });
    (aimed.matches("button, input, select") ? aimed : aimed.querySelector("input, button"))?.focus({ preventScroll: true });
  });

  // -- taps

  const spotOf = (each) => { spot = each.getBoundingClientRect(); };
  document.addEventListener("click", async ({ target, detail }) => {
    const button = target.closest?.("main button, #undo button");
    const wasPressed = detail ? pressed : ""; // a key has no pointer
    pressed = "";
    if (!button || button.type === "submit") {
      if (wasPressed && !target.closest?.("form")) say(TOO_SOON, "alarm"); // the button went away under the finger
      return;
    }
    const { wish, open: opens, sure } = button.dataset;
    if (!wish && !opens) return;
    spotOf(button);
    if (isFresh(button) || (wasPressed && wasPressed !== means(button))) {
      say(TOO_SOON, "alarm");
    } else if (opens) {
      openers[opens](button);
    } else if (sure) {
      open(sure, [], JSON.parse(wish), "", button.textContent);
    } else {
      await send(JSON.parse(wish));
    }
  });
  document.addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = event.target;
    spotOf(event.submitter ?? form);
    if (isFresh(form)) {
      say(TOO_SOON, "alarm");
      return;
    }
    const wish = wishOf(form), answers = new FormData(form);
    if (!wish || !await send(wish)) return;
    clear(form, answers);
    const fields = [...document.querySelectorAll(".own-number input")];
    if (wish.kind === "numbers") (fields.slice(fields.indexOf(form.querySelector("input")) + 1)[0] ?? fields[0])?.focus();
  });
  // What was sent is recorded. Its form is empty again, also one that a patch has put in its place; what was chosen
  // meanwhile is not sent yet, and stays.
  const clear = (form, answers) => {
    const now = form.id ? document.getElementById(form.id) : null;
    for (const field of [...form.elements, ...(now?.elements ?? [])]) {
      if (!field.name || !answers.getAll(field.name).includes(field.value)) continue;
      if (["radio", "checkbox"].includes(field.type)) field.checked = field.defaultChecked;
      else if (field.options) for (const option of field.options) option.selected = option.defaultSelected;
      else field.value = field.defaultValue;
    }
    if (now) dim(now);
  };
  // In a form with several fields, dim the values that do not go with what is chosen in the others.
  const dim = (form, target = null) => {
    if (!form.dataset.possible) return;
    const names = JSON.parse(form.dataset.names), possible = JSON.parse(form.dataset.possible);
    const chosen = names.map((name) => form.querySelector(`[name="${name}"]:checked`)?.value);
    for (const input of form.querySelectorAll("input[type=radio]")) {
      const at = names.indexOf(input.name);
      const fits = possible.some((row) => row[at] === input.value && row.every((value, other) => other === at || chosen[other] === undefined || chosen[other] === value));
      input.parentElement.classList.toggle("unfit", !fits);
      if (!fits && input.checked && target && input !== target) input.checked = false;
    }
  };
  document.addEventListener("change", ({ target }) => {
    const form = target.closest?.("form[data-possible]");
    if (form) dim(form, target);
  });
  document.addEventListener("patched", () => document.querySelectorAll("form[data-possible]").forEach((form) => dim(form)));
})();
