/** What the server says of what it does not take, and whether it may yet. */

import { AnswerError } from "./errors.js";

/** What our server says of what it will never take. A proxy's pages have no such code. */
const FINAL = new Set(["body_too_large", "invalid_input", "not_permitted"]);

/**
 * Tell whether sending it again could not help.
 *
 * @param {unknown} error
 * @returns {boolean}
 */
export function isFinal(error) {
  return error instanceof AnswerError && FINAL.has(error.code);
}
