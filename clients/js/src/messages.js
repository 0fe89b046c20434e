/** Conversations as the tutor's endpoint takes them, in parts that fit. */

import { countBytes } from "./transport.js";

/**
 * @typedef {object} TutorMessage
 * @property {"user" | "assistant"} role
 * @property {string} content
 */

/** What the server takes for no text: half of a surrogate pair, and NUL. */
const NO_TEXT = /[\0\p{Surrogate}]/gu;
/** Messages that the server takes at once. */
export const MAX_MESSAGES = 1_000;
const VISIBLE = /[^\s\x1c-\x1f\x85]/;

/**
 * Return messages as the server takes them: without whatever else an app keeps with them,
 * U+FFFD for half a character, and without those that say nothing, such as an answer that
 * was aborted. Of one message that it cannot take, the server refuses all.
 *
 * @param {readonly TutorMessage[]} messages
 * @returns {TutorMessage[]}
 */
export function pickMessages(messages) {
  return messages
    .filter(({ content }) => typeof content === "string" && VISIBLE.test(content))
    .map(({ role, content }) => ({ role, content: content.replace(NO_TEXT, "\ufffd") }));
}

/**
 * Return messages in order, in parts whose JSON has at most so many bytes, and that hold
 * no more than the server takes; a longer message is a part by itself.
 *
 * @param {readonly TutorMessage[]} messages
 * @param {number} mostBytes
 * @returns {TutorMessage[][]}
 */
export function splitMessages(messages, mostBytes) {
  /** @type {TutorMessage[][]} */
  const parts = [];
  let room = 0;
  for (const message of messages) {
    const size = countBytes(JSON.stringify(message)) + 1;
    const last = parts.at(-1);
    if (last === undefined || size > room || last.length === MAX_MESSAGES) {
      parts.push([message]);
      room = mostBytes - size;
    } else {
      last.push(message);
      room -= size;
    }
  }
  return parts;
}
