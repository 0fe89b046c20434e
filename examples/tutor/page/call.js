/** The call: it talks, ends, and what was said is remembered in the background (C07). */

import { createClients, find, getUserId, say, setUserId, showFailure, showLanguage } from "./shared.js";

const VOICES = { us: "en-US", uk: "en-GB", au: "en-AU", ca: "en-CA", in: "en-IN" };
const OPENING = "Hello!";

/** @type {ReturnType<typeof createClients>["tutor"]} */
let tutor;
/** @type {{ role: "user" | "assistant", content: string }[]} */
let messages = [];
/** @type {Record<string, string>} */
let settings = {};

/** Show what fits who is signed in, and whether they are in a call. */
function show(/** @type {"sign-in" | "ready" | "call"} */ part) {
  for (const id of ["sign-in", "ready", "call"]) find(id).hidden = id !== part;
}

function enter() {
  const user = getUserId();
  if (!user) {
    show("sign-in");
    return;
  }
  greet();
  show("ready");
  // What an earlier page could not send. It is nobody's business here if that fails again.
  tutor.resumeExtractions().catch((error) => console.warn("[Memory]", error.code));
}

/** Use the language of the page; a call goes on. */
function greet() {
  const user = getUserId();
  if (!user) return;
  ({ tutor } = createClients());
  find("who").textContent = say("who", { user });
}

/** @param {"user" | "assistant"} role @param {string} content */
function add(role, content) {
  messages.push({ role, content });
  const item = document.createElement("li");
  item.className = role;
  const who = document.createElement("b");
  who.textContent = `${say(role === "user" ? "call.you" : "call.tutor")}: `;
  const words = document.createElement("span");
  words.textContent = content;
  if (role === "assistant") words.lang = "en";
  item.append(who, words);
  find("said").append(item);
  item.scrollIntoView({ block: "nearest" });
}

/** Say something, and have the tutor answer; what failed can be said again. */
async function talk(/** @type {string} */ words) {
  const button = find("say").querySelector("button");
  button.disabled = true;
  find("status").textContent = say("call.waiting");
  try {
    const answer = await tutor.chat([...messages, { role: "user", content: words }], settings);
    add("user", words);
    add("assistant", answer);
    readAloud(answer);
    find("status").textContent = "";
    return true;
  } catch (error) {
    showFailure(error);
    return false;
  } finally {
    button.disabled = false;
  }
}

function readAloud(/** @type {string} */ answer) {
  if (!find("aloud").checked) return;
  const voice = new SpeechSynthesisUtterance(answer);
  voice.lang = VOICES[/** @type {keyof typeof VOICES} */ (settings.accent)];
  speechSynthesis.speak(voice);
}

/** End the call. Nobody waits: what was said goes on its way, even if the page is left. */
function end() {
  const said = messages;
  messages = [];
  find("status").textContent = say("call.remembering");
  tutor.extractUserInfo(said).then(({ extracted }) => {
    const values = Object.values(extracted).flat().join(", ");
    const done = say(values ? "call.remembered" : "call.nothing", { values });
    if (find("call").hidden) find("status").textContent = done;
  }, showFailure);
  show("ready");
  find("start").querySelector("button").focus();
}

find("sign-in").addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  setUserId(find("user").value.trim());
  enter();
});
find("sign-out").addEventListener("click", () => {
  setUserId(null);
  find("status").textContent = "";
  enter();
});
find("start").addEventListener("submit", async (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  const { accent, level, topic } = find("start").elements;
  settings = { accent: accent.value, level: level.value, topic: topic.value };
  messages = [];
  find("said").replaceChildren();
  show("call");
  find("words").focus();
  if (!(await talk(OPENING))) show("ready");
});
find("say").addEventListener("submit", async (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  const words = find("words");
  const said = words.value.trim();
  if (said && (await talk(said))) words.value = "";
  words.focus();
});
find("end").addEventListener("click", end);
find("aloud-label").hidden = !("speechSynthesis" in window);
showLanguage(greet);
enter();
