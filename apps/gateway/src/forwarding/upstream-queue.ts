/** Requests to one service beyond what it takes: all connections are in use, and the queue is full or took too long. */
export class UpstreamBusyError extends Error {
  readonly code = 'UPSTREAM_BUSY';
}

/** Request whose client may leave while it waits. */
interface Flight {
  exchange: { abort: () => void } | undefined;
}

interface QueueLimits {
  connections: number;
  /** Requests that wait for a connection. */
  waiting: number;
}

/** Part of the connections that one holder uses at most. */
const CONNECTIONS_SHARE = 3 / 4;
/** Part of the queue that one holder fills at most. */
const WAITING_SHARE = 1 / 2;

/**
 * Bounded queue before the connections to one service. No holder (an organisation) takes all connections or the whole queue,
 * so that the requests of others are answered beside a flood of its own.
 */
export class UpstreamQueue {
  private readonly using = new Tally();
  private readonly queued = new Tally();
  private readonly waiters = new Set<Waiter>();

  constructor(private readonly limits: QueueLimits) {}

  get active(): number {
    return this.using.total;
  }

  get waiting(): number {
    return this.queued.total;
  }

  /**
   * Takes a connection, which {@link leave} returns. Waits for one until the deadline, or until the flight is aborted.
   * @param deadline on the monotonic clock, in milliseconds
   * @throws UpstreamBusyError where the queue is full, or at the deadline
   */
  async enter(holder: string, deadline: number, flight: Flight): Promise<void> {
    if (this.hasConnection(holder)) {
      this.using.add(holder);
      return;
    }
    const remaining = deadline - performance.now();
    if (remaining <= 0 || !this.hasRoom(holder)) throw new UpstreamBusyError('queue is full');
    const waiter = new Waiter(holder);
    flight.exchange = waiter;
    this.waiters.add(waiter);
    this.queued.add(holder);
    const timer = setTimeout(() => {
      waiter.end(new UpstreamBusyError('no connection until the deadline'));
    }, remaining);
    try {
      await waiter.admitted;
    } finally {
      clearTimeout(timer);
      // An admitted one has left the queue already.
      if (this.waiters.delete(waiter)) this.queued.remove(holder);
    }
  }

  leave(holder: string): void {
    this.using.remove(holder);
    for (const waiter of this.waiters) {
      if (this.using.total >= this.limits.connections) return;
      if (!this.hasConnection(waiter.holder) || waiter.isOver) continue;
      this.waiters.delete(waiter);
      this.queued.remove(waiter.holder);
      this.using.add(waiter.holder);
      waiter.end();
    }
  }

  private hasConnection(holder: string): boolean {
    const { connections } = this.limits;
    return (
      this.using.total < connections &&
      this.using.of(holder) < Math.ceil(connections * CONNECTIONS_SHARE)
    );
  }

  private hasRoom(holder: string): boolean {
    const { waiting } = this.limits;
    return (
      this.queued.total < waiting && this.queued.of(holder) < Math.ceil(waiting * WAITING_SHARE)
    );
  }
}

/** Request in the queue. */
class Waiter {
  readonly admitted: Promise<void>;
  isOver = false;
  private resolve: () => void = () => undefined;
  private reject: (error: Error) => void = () => undefined;

  constructor(readonly holder: string) {
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

/** Counts by holder; holders without any take no memory. */
class Tally {
  total = 0;
  private readonly counts = new Map<string, number>();

  of(holder: string): number {
    return this.counts.get(holder) ?? 0;
  }

  add(holder: string): void {
    this.total += 1;
    this.counts.set(holder, this.of(holder) + 1);
  }

  remove(holder: string): void {
    this.total -= 1;
    const left = this.of(holder) - 1;
    if (left === 0) this.counts.delete(holder);
    else this.counts.set(holder, left);
  }
}
