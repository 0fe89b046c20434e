/** What is remembered of the person, and how they have it forgotten (C10). */

import { createClients, find, getLanguage, getUserId, say, showFailure, showLanguage } from "./shared.js";

/** @type {ReturnType<typeof createClients>} */
let clients;

async function load() {
  if (!getUserId()) {
    find("status").textContent = say("sign_in.first");
    return;
  }
  clients = createClients();
  try {
    // First what is still on its way: otherwise it would bring back what is forgotten here.
    await clients.tutor.resumeExtractions().catch(showFailure);
    const { values } = await clients.memory.profile.get();
    find("known").replaceChildren(...buildLists(values));
    find("everything").hidden = values.length === 0;
    if (values.length === 0) find("known").textContent = say("memory.nothing");
  } catch (error) {
    showFailure(error);
  }
}

/** @typedef {Awaited<ReturnType<typeof clients.memory.profile.get>>["values"]} Values */

/** @param {Values} values */
function* buildLists(values) {
  for (const field of new Set(values.map((value) => value.field))) {
    const heading = document.createElement("h2");
    heading.textContent = say(field);
    const list = document.createElement("ul");
    list.append(...values.filter((value) => value.field === field).map(buildItem));
    yield heading;
    yield list;
  }
}

/** @param {Values[number]} known */
function buildItem(known) {
  const item = document.createElement("li");
  const text = document.createElement("span");
  text.textContent = known.value;
  const since = document.createElement("small");
  const day = new Date(known.at).toLocaleDateString(getLanguage(), { dateStyle: "medium" });
  since.textContent = say("memory.since", { day });
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = say("memory.forget");
  button.setAttribute("aria-label", say("memory.forget_value", { value: known.value }));
  button.addEventListener("click", () => forget(known));
  item.append(text, since, button);
  return item;
}

/** @param {Values[number]} known */
async function forget({ field, value }) {
  try {
    clients.tutor.discardExtractions();
    await clients.memory.profile.forget(field, value);
    await load();
    tell(say("memory.forgotten", { value }));
  } catch (error) {
    showFailure(error);
  }
}

async function forgetAll() {
  try {
    clients.tutor.discardExtractions();
    await clients.memory.memories.forgetAll();
    await load();
    tell(say("memory.erased"));
  } catch (error) {
    showFailure(error);
  }
}

/** Say what was done, where the keyboard goes on: the button it was on is gone. */
function tell(/** @type {string} */ done) {
  find("status").textContent = done;
  find("status").focus();
}

find("forget-all").addEventListener("click", () => {
  find("sure").returnValue = "no";
  find("sure").showModal();
});
find("sure").addEventListener("close", () => {
  if (find("sure").returnValue === "yes") forgetAll();
});
showLanguage(() => load());
