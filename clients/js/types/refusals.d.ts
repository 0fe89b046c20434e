/** What the server says of what it does not take, and whether it may yet. */
/**
 * Tell whether sending it again could not help.
 *
 * @param {unknown} error
 * @returns {boolean}
 */
export declare function isFinal(error: unknown): boolean;
