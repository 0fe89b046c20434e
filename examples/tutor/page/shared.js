/** What both pages need: who is signed in, the clients, the language. */

import { Gieok, createTutor } from "/client/index.js";

import { TEXTS } from "./texts.js";

const USER = "tutor.user";
const LANGUAGE = "tutor.language";

/**
 * Return an element of the page.
 *
 * @param {string} id
 * @returns {any}
 */
export const find = (id) => document.getElementById(id);

/** Who is signed in: this example believes the name that was typed. */
export const getUserId = () => localStorage.getItem(USER);

/** @param {string | null} user */
export function setUserId(user) {
  if (user === null) localStorage.removeItem(USER);
  else localStorage.setItem(USER, user);
}

/** @type {"ko" | "en"} */
let language = readLanguage();

function readLanguage() {
  const chosen = localStorage.getItem(LANGUAGE) ?? navigator.language;
  return chosen.startsWith("ko") ? "ko" : "en";
}

/**
 * Return a sentence in the language of the page.
 *
 * @param {string} key
 * @param {Record<string, string>} [values]
 * @returns {string}
 */
export function say(key, values = {}) {
  const text = TEXTS[language]?.[key] ?? key;
  return text.replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** The language of the page, for dates. */
export const getLanguage = () => language;

/** Show the page in its language, and let it be changed. */
export function showLanguage(/** @type {() => void} */ onChange = () => {}) {
  const button = find("language");
  const other = { ko: "en", en: "ko" };
  const show = () => {
    document.documentElement.lang = language;
    for (const each of document.querySelectorAll("[data-text]")) {
      each.textContent = say(each.getAttribute("data-text") ?? "");
    }
    for (const each of document.querySelectorAll("[data-label]")) {
      each.setAttribute("aria-label", say(each.getAttribute("data-label") ?? ""));
    }
    document.title = document.querySelector("h1")?.textContent ?? "";
    button.lang = other[language];
    button.textContent = { ko: "English", en: "한국어" }[language];
    onChange();
  };
  button.addEventListener("click", () => {
    language = /** @type {"ko" | "en"} */ (other[language]);
    localStorage.setItem(LANGUAGE, language);
    show();
  });
  show();
}

/** Return a token of whoever is signed in. An app asks its own server for one. */
async function getToken() {
  const response = await fetch("/sign-in", { method: "POST", body: getUserId() ?? "" });
  const { token, error } = await response.json();
  if (!response.ok) throw new Error(error.message);
  return token;
}

/** Return the clients of whoever is signed in. */
export function createClients() {
  const options = { getToken, language };
  return {
    tutor: createTutor({ ...options, url: "/api/v1/tutor", getUserId, outbox: localStorage }),
    memory: new Gieok({ ...options, url: "" }),
  };
}

/**
 * Say what went wrong.
 *
 * @param {unknown} error
 */
export function showFailure(error) {
  const problem = error instanceof Error ? error.message : String(error);
  find("status").textContent = say("failed", { problem });
}
