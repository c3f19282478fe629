import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';

const { scheduleCheckPendingRequests } = RequestQueue.prototype;

/**
 * Has kafkajs check for pending requests only while there are some. Without it, 2.2.4 checks every connection once a
 * millisecond for ever, with a negative delay (kafkajs issues 1704 and 1751).
 */
export function stopIdleChecks(): void {
  RequestQueue.prototype.scheduleCheckPendingRequests = function scheduleIfPending(
    this: RequestQueue,
  ) {
    if (this.pending.length > 0) scheduleCheckPendingRequests.call(this);
  };
}
