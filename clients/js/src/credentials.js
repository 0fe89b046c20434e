/** Who calls: a token that is asked for when it is needed, or an app's key. */

/**
 * @typedef {object} CredentialOptions
 * @property {string} [token] A person's token, where it never changes.
 * @property {(why: { refresh: boolean }) => string | Promise<string>} [getToken]
 *   Returns a person's token. Asked once, and again with `refresh` when the server
 *   refused the last one.
 * @property {string} [apiKey] An app's key, for servers: never in a browser.
 * @property {string} [user] For whom an app's key acts, where there is no token.
 */

const UTF8 = new TextEncoder();

/**
 * Return a text as headers carry it: one character for each of its bytes in UTF-8.
 *
 * @param {string} text
 * @returns {string}
 */
function encodeUtf8(text) {
  return String.fromCharCode(...UTF8.encode(text));
}

/** Keeps the token, and has one fetched at a time. */
export class Credentials {
  /** @type {string | undefined} */
  #token;
  /** @type {Promise<string> | undefined} */
  #fetching;
  /** @type {string | undefined} */
  #person;
  #options;

  /** @param {CredentialOptions} options */
  constructor(options) {
    this.#options = options;
    this.#token = options.token;
  }

  /** Tell whether an app's key says who calls, or what they may do. */
  get hasKey() {
    return this.#options.apiKey !== undefined;
  }

  /** Tell whether a refused token can be replaced. */
  get canRefresh() {
    return this.#options.getToken !== undefined;
  }

  /**
   * Say whose token is wanted from now on; that of somebody else is forgotten.
   *
   * @param {string | undefined} person
   */
  setPerson(person) {
    if (person === this.#person) return;
    this.#person = person;
    this.#token = this.#options.token;
    this.#fetching = undefined;
  }

  /**
   * Return the token, once there is one; undefined where none is configured.
   *
   * @returns {string | undefined | Promise<string>}
   */
  getToken() {
    if (this.#token !== undefined || !this.canRefresh) return this.#token;
    return this.#fetchToken(false);
  }

  /**
   * Have another token instead of one that was refused.
   *
   * @param {string | undefined} refused
   * @returns {Promise<void>}
   */
  async replaceToken(refused) {
    if (this.#token === refused || this.#token === undefined) await this.#fetchToken(true);
  }

  /**
   * Return the headers that say who calls, each character a byte.
   *
   * @param {string | undefined} token
   * @returns {Record<string, string>}
   */
  buildHeaders(token) {
    const { apiKey, user } = this.#options;
    return {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(apiKey === undefined ? {} : { "X-API-Key": apiKey }),
      ...(user === undefined || token !== undefined ? {} : { "X-Gieok-User": encodeUtf8(user) }),
    };
  }

  /**
   * @param {boolean} refresh
   * @returns {Promise<string>}
   */
  #fetchToken(refresh) {
    const { getToken } = this.#options;
    if (getToken === undefined) throw new Error("there is no getToken");
    if (this.#fetching !== undefined) return this.#fetching;
    const fetching = Promise.resolve().then(() => getToken({ refresh }));
    this.#fetching = fetching;
    // What comes once somebody else is there is not theirs.
    const end = (/** @type {string | undefined} */ token) => {
      if (this.#fetching !== fetching) return;
      this.#fetching = undefined;
      if (token !== undefined) this.#token = token;
    };
    fetching.then(end, () => end(undefined));
    return fetching;
  }
}
