/**
 * What a call throws.
 *
 *     GieokError                 `not_json`: a page came, and no answer of the server's
 *     ├── ConnectionError        no answer: the network, or a server that is away
 *     │   └── TimeoutError       no answer in time
 *     └── AnswerError            an answer that is an error, with its status
 *         ├── InvalidInputError  400, 413, 422: `field` names what is wrong
 *         ├── AuthenticationError 401
 *         ├── NotPermittedError  403
 *         ├── NotFoundError      404: nothing there, or somebody else's
 *         ├── ConflictError      409
 *         ├── RateLimitError     429: again after `retryAfterMs`
 *         └── ServerError        5xx
 *             └── UnavailableError 502, 503, 504: again later
 *
 * A call that its caller aborts throws what it was aborted with.
 */
/** Whatever goes wrong in a call. */
export declare class GieokError extends Error {
    /** What kind of problem it is, for programs. */
    code: string;
    /**
     * @param {string} message
     * @param {{ code: string, cause?: unknown }} details
     */
    constructor(message: string, { code, cause }: {
        code: string;
        cause?: unknown;
    });
}
/** There was no answer. */
export declare class ConnectionError extends GieokError {
}
/** There was no answer in time. */
export declare class TimeoutError extends ConnectionError {
}
export type AnswerDetails = {
    code: string;
    /**
     * HTTP's, or 0 of a socket and of what was not sent.
     */
    status: number;
    field?: string;
    retryAfterMs?: number;
};
/**
 * @typedef {object} AnswerDetails
 * @property {string} code
 * @property {number} status HTTP's, or 0 of a socket and of what was not sent.
 * @property {string} [field]
 * @property {number} [retryAfterMs]
 */
/** The server, or something before it, refused or failed. */
export declare class AnswerError extends GieokError {
    /** HTTP's status. */
    status: number;
    /** What of the request is wrong, if one thing is. */
    field: string | undefined;
    /** How long the server asks to wait. */
    retryAfterMs: number | undefined;
    /**
     * @param {string} message For people, in the language that the client asks for.
     * @param {AnswerDetails} details
     */
    constructor(message: string, { code, status, field, retryAfterMs }: AnswerDetails);
}
/** What was sent cannot be accepted; `field` names it. */
export declare class InvalidInputError extends AnswerError {
}
/** Nothing valid says who calls. */
export declare class AuthenticationError extends AnswerError {
}
/** The caller may not do this. */
export declare class NotPermittedError extends AnswerError {
}
/** There is no such thing, or it is somebody else's. */
export declare class NotFoundError extends AnswerError {
}
/** It does not go with what is so. */
export declare class ConflictError extends AnswerError {
}
/** Too many calls. */
export declare class RateLimitError extends AnswerError {
}
/** The server failed. */
export declare class ServerError extends AnswerError {
}
/** The server, or something that it needs, is away. */
export declare class UnavailableError extends ServerError {
}
/**
 * Return the error that an answer stands for.
 *
 * @param {string} message
 * @param {AnswerDetails} details
 * @returns {AnswerError}
 */
export declare function createAnswerError(message: string, details: AnswerDetails): AnswerError;
/**
 * Return the error of a response that is none of 2xx, whoever wrote it.
 *
 * @param {Response} response
 * @returns {Promise<AnswerError>}
 */
export declare function readError(response: Response): Promise<AnswerError>;
/**
 * Return what `Retry-After` asks for, in milliseconds.
 *
 * @param {string | null} value Seconds, or a date.
 * @param {number} [now]
 * @returns {number | undefined}
 */
export declare function parseRetryAfter(value: string | null, now?: number): number | undefined;
