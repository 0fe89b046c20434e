/** Conversations as the tutor's endpoint takes them, in parts that fit. */
export type TutorMessage = {
    role: "user" | "assistant";
    content: string;
};
/** Messages that the server takes at once. */
export declare const MAX_MESSAGES = 1000;
/**
 * Return messages as the server takes them: without whatever else an app keeps with them,
 * U+FFFD for half a character, and without those that say nothing, such as an answer that
 * was aborted. Of one message that it cannot take, the server refuses all.
 *
 * @param {readonly TutorMessage[]} messages
 * @returns {TutorMessage[]}
 */
export declare function pickMessages(messages: readonly TutorMessage[]): TutorMessage[];
/**
 * Return messages in order, in parts whose JSON has at most so many bytes, and that hold
 * no more than the server takes; a longer message is a part by itself.
 *
 * @param {readonly TutorMessage[]} messages
 * @param {number} mostBytes
 * @returns {TutorMessage[][]}
 */
export declare function splitMessages(messages: readonly TutorMessage[], mostBytes: number): TutorMessage[][];
