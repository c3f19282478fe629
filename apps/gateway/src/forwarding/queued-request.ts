import type { Holder } from './holder.js';

/** Request in the queue before a service. */
export class QueuedRequest {
  isOver = false;
  private readonly admission = Promise.withResolvers<void>();

  constructor(readonly holder: Holder) {}

  get admitted(): Promise<void> {
    return this.admission.promise;
  }

  end(error?: Error): void {
    if (this.isOver) return;
    this.isOver = true;
    if (error === undefined) this.admission.resolve();
    else this.admission.reject(error);
  }

  abort(): void {
    this.end(new Error('request aborted'));
  }
}
