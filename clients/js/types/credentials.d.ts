/** Who calls: a token that is asked for when it is needed, or an app's key. */
export type CredentialOptions = {
    /**
     * A person's token, where it never changes.
     */
    token?: string;
    /**
     * Returns a person's token. Asked once, and again with `refresh` when the server
     * refused the last one.
     */
    getToken?: (why: {
        refresh: boolean;
    }) => string | Promise<string>;
    /**
     * An app's key, for servers: never in a browser.
     */
    apiKey?: string;
    /**
     * For whom an app's key acts, where there is no token.
     */
    user?: string;
};
/** Keeps the token, and has one fetched at a time. */
export declare class Credentials {
    #private;
    /** @param {CredentialOptions} options */
    constructor(options: CredentialOptions);
    /** Tell whether an app's key says who calls, or what they may do. */
    get hasKey(): boolean;
    /** Tell whether a refused token can be replaced. */
    get canRefresh(): boolean;
    /**
     * Say whose token is wanted from now on; that of somebody else is forgotten.
     *
     * @param {string | undefined} person
     */
    setPerson(person: string | undefined): void;
    /**
     * Return the token, once there is one; undefined where none is configured.
     *
     * @returns {string | undefined | Promise<string>}
     */
    getToken(): string | undefined | Promise<string>;
    /**
     * Have another token instead of one that was refused.
     *
     * @param {string | undefined} refused
     * @returns {Promise<void>}
     */
    replaceToken(refused: string | undefined): Promise<void>;
    /**
     * Return the headers that say who calls, each character a byte.
     *
     * @param {string | undefined} token
     * @returns {Record<string, string>}
     */
    buildHeaders(token: string | undefined): Record<string, string>;
}
