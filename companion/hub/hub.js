// Keeps the part of the page that changes up to date: the hub says when something was committed.
"use strict";

const live = document.getElementById("live");
if (live) {
  const news = new EventSource("/news");
  news.addEventListener("message", async () => {
    // All pages hear it at once, and need not ask at once.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 400));
    try {
      const answer = await fetch(location.href, { headers: { accept: "text/html" } });
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const now = page.getElementById("live");
      if (!now) return;
      // The reasons that somebody opened stay open, beside the same player.
      const whose = (reasons) => reasons.closest("tr").cells[1].textContent;
      const opened = new Set(Array.from(live.querySelectorAll("details[open]"), whose));
      for (const reasons of now.querySelectorAll("details")) reasons.open = opened.has(whose(reasons));
      if (now.innerHTML !== live.innerHTML) live.innerHTML = now.innerHTML;
      document.querySelector("h1").textContent = document.title = page.title;
    } catch {
      // The hub is away: the stream comes back by itself, and says so.
    }
  });
}
