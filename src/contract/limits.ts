/**
 * Limits of what a client may send, ask for and hold, and the sizes and times of an answer; each with its unit at the
 * end of its name.
 */

/** Longest body of a request. */
export const bodyBytesMax = 65_536;

/** Bytes of a body that is too large which are read and thrown away, so that its sender gets to see the answer. */
export const drainBytesMax = 1_048_576;

/** Time for which such a body is read at the most. */
export const drainMilliseconds = 1000;

/** Time for which a connection is read behind its last answer, until its client ends it. */
export const closingMilliseconds = 1000;

/** Longest path with query string. */
export const targetCharactersMax = 8192;

/** Characters of a target that a log line holds. */
export const loggedTargetCharactersMax = 1024;

/** Longest request line and headers together. */
export const headerBytesMax = 16_384;

/** Longest `Accept-Encoding` that is read; browsers send 23 characters. */
export const acceptEncodingCharactersMax = 256;

/** Longest `Accept` that is read; browsers send less than 200 characters. */
export const acceptCharactersMax = 512;

/** Time for which a client may take to send headers, and a whole request. */
export const headersMilliseconds = 10_000;
export const requestMilliseconds = 30_000;

/** Time for which a body may be on its way while others find no connection free. */
export const arrivalMilliseconds = 1000;

/** Time for which an idle connection is kept for the next request. */
export const keepAliveMilliseconds = 65_000;

/**
 * Time for which a connection may carry nothing while a request is under way: that long a client may leave an answer
 * unread. Longer than a request may take to arrive.
 */
export const inactivityMilliseconds = 60_000;

/**
 * Requests of one connection that may wait for the answers before them; at so many, no more is parsed until one is
 * answered. Of the shortest, 15 more may have been parsed together with the last.
 */
export const waitingRequestsMax = 10;

/** Bytes of one connection, bodies included, that are parsed while requests wait; then no more until none waits. */
export const waitingBytesMax = 65_536;

/** Entries on a page of a list. */
export const pageSizeDefault = 20;
export const pageSizeMax = 100;

/** Entries on a page of series, of which a client wants to see all. */
export const seriesPageSizeMax = 1000;

/** Greatest page of anomalies. */
export const anomaliesPageSizeMax = 1000;

/** Greatest number of silent products or markets that the description of the dataset lists. */
export const silentListMax = 100;

/** Prices per product in latest prices, without and with `one_per_market`. */
export const latestLimitDefault = 10;
export const latestLimitMax = 100;
export const latestLimitMaxOnePerMarket = 1000;

/** Items of `product_uuids`, `categories` and `sub_categories`. */
export const listItemsMax = 100;

/** Characters of a text in a query or body. */
export const textCharactersMax = 200;

/** Characters of a question to the search of the documentation; what is longer is cut. */
export const searchCharactersMax = 100;

/** Field problems in one error body. */
export const detailsMax = 20;

/** Characters of a received value that an error body repeats. */
export const receivedCharactersMax = 200;

/** Seconds after which a client may try again when no snapshot is served or a limit on what clients hold is reached. */
export const retryAfterSeconds = 5;

/** Bytes of one chunk of an answer; an answer of more is long. */
export const answerChunkBytes = 65_536;

/** Time for which one answer is made without letting other requests in. */
export const answerSliceMilliseconds = 2;

/**
 * Works (queries that are not done in their first slice, chunks of long answers) of a client with a key that wait for
 * turns of a thread; with so many, its next request is refused early. Beyond capacity they make how long an answer
 * takes: 19 ms where each takes 1 ms. With 32 it was five times as long, and a quarter fewer were answered.
 */
export const tasksWaitingMax = 10;

/** Time for which a refusal waits where no place is left; far below `Retry-After`. */
export const refusalMilliseconds = 250;

/** Requests with a key whose answers a thread makes at a time; one client may have an eighth of them. */
export const requestsPerThreadMax = 256;

/** Places among them that only secret keys get. */
export const requestsForSecretKeys = 16;

/** Requests without a key, beside these. */
export const keylessRequestsPerThreadMax = 192;

/**
 * Long answers of the process that have not left, of which each thread has its part. Each holds about four chunks of
 * memory (text, its bytes, what the socket has not sent), and 1 MiB more where it is compressed, so all together hold
 * 320 MiB; more only where the least number of each thread exceeds its part.
 */
export const longAnswersMax = 256;

/** Places among them that only secret keys get. */
export const longAnswersForSecretKeys = 16;

/** Long answers to requests without a key, beside these. */
export const keylessAnswersMax = 64;

/** A thread has at least so many of each kind, however many threads there are. */
export const answersPerThreadMin = 16;

/**
 * An answer whose client takes less than this, over so much time spent waiting for it, loses its place to another
 * client that wants one.
 */
export const slowReaderBytesPerSecond = 262_144;
export const slowReaderMilliseconds = 30_000;

/**
 * Requests in a turn of the event loop for which long work gets one more slice. They take about as long as a slice, so
 * a thread that is busy with short requests gives long work about half of its time.
 */
export const requestsPerSlice = 48;

/** Longest body in the answer cache: more than the longest document, a script of 1.7 MB. */
export const cachedAnswerBytesMax = 2_097_152;

/** The part of the answer cache that is for pages, where they are public. */
export const pageCachePart = 0.25;

/** A thread with less memory for texts of statistics caches none: it would write whole blocks and drop them. */
export const rollupTextBytesMin = 1_048_576;

/**
 * Long answers of a thread that are collected for its answer cache at a time, each holding up to
 * `cachedAnswerBytesMax`.
 */
export const answerCollectionsMax = 4;

/** Requests a minute that all clients of a public key may make together, in limits of one client. */
export const publicKeyShares = 10;

/** Requests with wrong keys a minute and client address; what a person or a misconfigured job sends stays far below. */
export const wrongKeysPerMinute = 600;

/**
 * Requests to the API without a key a minute and client address: far more than of wrong keys, because pages and
 * monitors of many people behind one address may lack theirs.
 */
export const missingKeysPerMinute = 3000;

/** Requests without a key a minute and client address, without those of the API; many people may share an address. */
export const keylessPerMinute = 300;

/** Bytes of an answer, before compression, that one token of a rate limit pays for. */
export const tokenBytes = 262_144;

/** Time for which the bucket of a rate limit must refill, at most, before it is empty again after a long answer. */
export const debtMilliseconds = 10_000;

/** Connections of the process where the system does not say how many files it may open, and at most by default. */
export const connectionsDefaultMax = 10_000;

/** Connections of the admin port. */
export const adminConnectionsMax = 16;
