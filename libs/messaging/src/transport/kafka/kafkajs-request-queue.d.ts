/** Requests of one connection of kafkajs, which its own types leave out. */
declare module 'kafkajs/src/network/requestQueue/index.js' {
  export default class RequestQueue {
    constructor(options: {
      maxInFlightRequests: number | null;
      requestTimeout: number;
      enforceRequestTimeout: boolean;
      clientId: string;
      broker: string;
      logger: { debug(message: string): void };
    });
    readonly pending: readonly unknown[];
    maybeThrottle(ms: number): void;
    push(request: {
      entry: { correlationId: number };
      expectResponse: boolean;
      sendRequest(): void;
    }): void;
    checkPendingRequests(): void;
    scheduleCheckPendingRequests: (this: RequestQueue) => void;
    destroy(): void;
  }
}
