import type { Holder } from './holder.js';

/** Request in the queue before a service. */
export class QueuedRequest {
  readonly admitted: Promise<void>;
  isOver = false;
  private resolve: () => void = () => undefined;
  private reject: (error: Error) => void = () => undefined;

  constructor(readonly holder: Holder) {
    this.admitted = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  end(error?: Error): void {
    if (this.isOver) return;
    this.isOver = true;
    if (error === undefined) this.resolve();
    else this.reject(error);
  }

  abort(): void {
    this.end(new Error('request aborted'));
  }
}
