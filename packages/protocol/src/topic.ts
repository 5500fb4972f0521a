/** The topic of every message from the web client, which never shows it. */
export const defaultTopic = 'stream events';
