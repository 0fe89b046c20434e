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
export class GieokError extends Error {
  /**
   * @param {string} message
   * @param {{ code: string, cause?: unknown }} details
   */
  constructor(message, { code, cause }) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    /** What kind of problem it is, for programs. */
    this.code = code;
  }
}

/** There was no answer. */
export class ConnectionError extends GieokError {}

/** There was no answer in time. */
export class TimeoutError extends ConnectionError {}

/**
 * @typedef {object} AnswerDetails
 * @property {string} code
 * @property {number} status HTTP's, or 0 of a socket and of what was not sent.
 * @property {string} [field]
 * @property {number} [retryAfterMs]
 */

/** The server, or something before it, refused or failed. */
export class AnswerError extends GieokError {
  /**
   * @param {string} message For people, in the language that the client asks for.
   * @param {AnswerDetails} details
   */
  constructor(message, { code, status, field, retryAfterMs }) {
    super(message, { code });
    /** HTTP's status. */
    this.status = status;
    /** What of the request is wrong, if one thing is. */
    this.field = field;
    /** How long the server asks to wait. */
    this.retryAfterMs = retryAfterMs;
  }
}

/** What was sent cannot be accepted; `field` names it. */
export class InvalidInputError extends AnswerError {}

/** Nothing valid says who calls. */
export class AuthenticationError extends AnswerError {}

/** The caller may not do this. */
export class NotPermittedError extends AnswerError {}

/** There is no such thing, or it is somebody else's. */
export class NotFoundError extends AnswerError {}

/** It does not go with what is so. */
export class ConflictError extends AnswerError {}

/** Too many calls. */
export class RateLimitError extends AnswerError {}

/** The server failed. */
export class ServerError extends AnswerError {}

/** The server, or something that it needs, is away. */
export class UnavailableError extends ServerError {}

/** @type {Record<number, typeof AnswerError>} */
const KINDS = {
  400: InvalidInputError,
  401: AuthenticationError,
  403: NotPermittedError,
  404: NotFoundError,
  409: ConflictError,
  413: InvalidInputError,
  422: InvalidInputError,
  429: RateLimitError,
  502: UnavailableError,
  503: UnavailableError,
  504: UnavailableError,
};

/**
 * Return the error that an answer stands for.
 *
 * @param {string} message
 * @param {AnswerDetails} details
 * @returns {AnswerError}
 */
export function createAnswerError(message, details) {
  const Kind = KINDS[details.status] ?? (details.status >= 500 ? ServerError : AnswerError);
  return new Kind(message, details);
}

/**
 * Return the error of a response that is none of 2xx, whoever wrote it.
 *
 * @param {Response} response
 * @returns {Promise<AnswerError>}
 */
export async function readError(response) {
  const body = parseObject(await response.text());
  // The house's bodies are {"error": {…}}; the persona document's and API Gateway's are flat.
  const told = typeof body.error === "object" && body.error !== null ? body.error : body;
  const { code, message, field } = /** @type {Record<string, unknown>} */ (told);
  const flat = typeof body.error === "string" ? body.error : undefined;
  return createAnswerError(
    typeof message === "string" ? message : `HTTP ${response.status}`,
    {
      code: typeof code === "string" ? code : (flat ?? `http_${response.status}`),
      status: response.status,
      field: typeof field === "string" ? field : undefined,
      retryAfterMs: parseRetryAfter(response.headers.get("retry-after")),
    },
  );
}

/**
 * @param {string} text
 * @returns {Record<string, unknown>}
 */
function parseObject(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {}; // a proxy's page, which says nothing to programs
  }
}

/**
 * Return what `Retry-After` asks for, in milliseconds.
 *
 * @param {string | null} value Seconds, or a date.
 * @param {number} [now]
 * @returns {number | undefined}
 */
export function parseRetryAfter(value, now = Date.now()) {
  if (value === null) return undefined;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
