import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';

export interface UpstreamResponse {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Small bodies are buffered, which costs half; large ones and those of unknown length are streamed. */
  body: Buffer | Readable;
}

const SMALL_BYTES = 64 * 1024;

/** One request to a service and its unparsed response. */
export class UpstreamExchangeClient implements Dispatcher.DispatchHandler {
  readonly response: Promise<UpstreamResponse>;
  private resolve: (answer: UpstreamResponse) => void = () => undefined;
  private reject: (error: Error) => void = () => undefined;
  private controller: Dispatcher.DispatchController | undefined;
  private abortReason: Error | undefined;
  private head: Omit<UpstreamResponse, 'body'> | undefined;
  private readonly chunks: Buffer[] = [];
  private stream: Readable | undefined;
  private isComplete = false;

  /** @param onEnd called once, when the exchange uses its connection no more */
  constructor(private readonly onEnd: () => void) {
    this.response = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  abort(reason: Error = new Error('request aborted')): void {
    this.abortReason ??= reason;
    if (!this.isComplete) this.controller?.abort(this.abortReason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.abortReason !== undefined) controller.abort(this.abortReason);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: UpstreamResponse['headers'],
  ): void {
    if (status < 200) return;
    this.head = { status, headers };
    if (isSmall(status, headers['content-length'])) return;
    this.stream = new Readable({
      read: () => {
        controller.resume();
      },
      destroy: (error, done) => {
        this.abort();
        done(error);
      },
    });
    this.resolve({ ...this.head, body: this.stream });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.stream === undefined) this.chunks.push(chunk);
    else if (!this.stream.push(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    this.complete();
    const [first] = this.chunks;
    if (this.stream !== undefined) this.stream.push(null);
    else if (this.head !== undefined) {
      const body =
        this.chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.chunks);
      this.resolve({ ...this.head, body });
    }
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.complete();
    if (this.stream === undefined) this.reject(error);
    else this.stream.destroy(error);
  }

  private complete(): void {
    if (this.isComplete) return;
    this.isComplete = true;
    this.onEnd();
  }
}

function isSmall(status: number, contentLength: string | string[] | undefined): boolean {
  if (contentLength === undefined) return status === 204 || status === 304;
  return Number(contentLength) <= SMALL_BYTES;
}
