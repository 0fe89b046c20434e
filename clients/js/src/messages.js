/** Conversations as the tutor's endpoint takes them, in parts that fit. */

import { countBytes } from "./transport.js";

/**
 * @typedef {object} TutorMessage
 * @property {"user" | "assistant"} role
 * @property {string} content
 */

/**
 * Return messages without whatever else an app keeps with them.
 *
 * @param {readonly TutorMessage[]} messages
 * @returns {TutorMessage[]}
 */
export function pickMessages(messages) {
  return messages.map(({ role, content }) => ({ role, content }));
}

/**
 * Return messages in order, in parts whose JSON has at most so many bytes; a longer
 * message is a part by itself.
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
    if (last === undefined || size > room) {
      parts.push([message]);
      room = mostBytes - size;
    } else {
      last.push(message);
      room -= size;
    }
  }
  return parts;
}
