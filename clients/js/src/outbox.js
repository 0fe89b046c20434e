/** Conversations that are on their way to be read, kept until they have arrived. */

/** @typedef {import("./messages.js").TutorMessage} TutorMessage */

/**
 * Where they are kept, such as `localStorage`.
 *
 * @typedef {Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">} OutboxStorage
 */

/**
 * @typedef {object} Pending
 * @property {string} key
 * @property {string} userId
 * @property {TutorMessage[]} messages
 * @property {number} at When it was put in, in milliseconds.
 * @property {number} part Which one its page put in, from 1: several have the same `at`.
 */

const PREFIX = "gieok.extraction.";
/** Older ones are thrown away: nobody expects to be remembered from so long ago. */
export const LASTS_MS = 7 * 24 * 60 * 60 * 1000;

/** One entry of the storage for each: two pages at once change different ones. */
export class Outbox {
  #storage;
  #added = 0;

  /** @param {OutboxStorage} storage */
  constructor(storage) {
    this.#storage = storage;
  }

  /**
   * Keep a conversation; one for which there is no room is not kept, and still sent.
   *
   * @param {string} userId
   * @param {TutorMessage[]} messages
   * @returns {string | undefined} Its key, if it was kept.
   */
  add(userId, messages) {
    const at = Date.now();
    const part = (this.#added += 1);
    const key = `${PREFIX}${at}.${Math.random().toString(36).slice(2)}`;
    try {
      this.#storage.setItem(key, JSON.stringify({ userId, messages, at, part }));
    } catch {
      return undefined; // full, or forbidden by the browser's settings
    }
    return key;
  }

  /** @param {string | undefined} key */
  remove(key) {
    if (key !== undefined) this.#storage.removeItem(key);
  }

  /**
   * Return somebody's conversations, oldest first, and throw away what is too old.
   *
   * @param {string} userId
   * @returns {Pending[]}
   */
  list(userId) {
    const now = Date.now();
    /** @type {Pending[]} */
    const found = [];
    for (const key of this.#listKeys()) {
      const pending = parsePending(key, this.#storage.getItem(key));
      if (pending === undefined || now - pending.at > LASTS_MS) this.#storage.removeItem(key);
      else if (pending.userId === userId) found.push(pending);
    }
    return found.sort((one, other) => one.at - other.at || one.part - other.part);
  }

  #listKeys() {
    const keys = Array.from({ length: this.#storage.length }, (_, n) => this.#storage.key(n));
    return keys.filter((key) => key !== null).filter((key) => key.startsWith(PREFIX));
  }
}

/**
 * @param {string} key
 * @param {string | null} text
 * @returns {Pending | undefined}
 */
function parsePending(key, text) {
  try {
    const { userId, messages, at, part = 0 } = JSON.parse(text ?? "");
    const isWhole = typeof userId === "string" && Array.isArray(messages) && Number.isFinite(at);
    return isWhole ? { key, userId, messages, at, part } : undefined;
  } catch {
    return undefined; // another program's, or half written
  }
}
