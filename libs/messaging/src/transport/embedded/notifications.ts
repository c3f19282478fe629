export const EVENT_LOG_CHANNEL = 'event_log';

export const notificationPayload = (topics: Iterable<string>): string =>
  [...new Set(topics)].join(',');

/** Payload of a notification: topics with new records. */
export function mentionsTopic(payload: string | undefined, topics: readonly string[]): boolean {
  const mentioned = (payload ?? '').split(',');
  return topics.some((topic) => mentioned.includes(topic));
}
