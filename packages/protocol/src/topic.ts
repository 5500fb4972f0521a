/** The topic of every message that the screens send. They show it nowhere. */
export const defaultTopic = 'stream events';
