import { HolderTally } from './holder.js';
import type { Holder } from './holder.js';
import { QueuedRequest } from './queued-request.js';

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

/** Connections of an organisation for each one that is left free: alone it has three quarters. */
const USED_PER_FREE = 3;
/** Part of the connections that one visitor uses at most: a quarter of what the organisation has alone. */
const VISITOR_SHARE = 3 / 16;
/** Part of the queue that one organisation fills at most. */
const WAITING_SHARE = 1 / 2;

/**
 * Bounded queue before the connections to one service. Organisations that use many connections leave some free for a further
 * one. Where none is free, the organisation that uses the fewest is first, and in it the visitor that does.
 */
export class UpstreamQueue {
  private readonly using = new HolderTally();
  private readonly queued = new HolderTally();
  private readonly waiters = new Set<QueuedRequest>();

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
  async enter(holder: Holder, deadline: number, flight: Flight): Promise<void> {
    if (this.hasConnection(holder)) {
      this.using.add(holder);
      return;
    }
    const remaining = deadline - performance.now();
    if (remaining <= 0 || !this.makeRoom(holder)) throw new UpstreamBusyError('queue is full');
    const waiter = new QueuedRequest(holder);
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
      this.dequeue(waiter);
    }
  }

  leave(holder: Holder): void {
    this.using.remove(holder);
    for (let next = this.next(); next !== undefined; next = this.next()) {
      this.dequeue(next);
      this.using.add(next.holder);
      next.end();
    }
  }

  private hasConnection(holder: Holder): boolean {
    const { connections } = this.limits;
    const free = connections - this.using.total;
    const used = this.using.ofOrganisation(holder);
    if (free <= 0 || (used > 0 && used + 1 > USED_PER_FREE * (free - 1))) return false;
    return this.using.ofVisitor(holder) < Math.max(1, Math.floor(connections * VISITOR_SHARE));
  }

  /** Oldest request of the holder that uses the fewest connections. */
  private next(): QueuedRequest | undefined {
    let next: QueuedRequest | undefined;
    for (const waiter of this.inQueue()) {
      if (!this.hasConnection(waiter.holder)) continue;
      if (next === undefined || compare(this.using, waiter.holder, next.holder) < 0) next = waiter;
    }
    return next;
  }

  /** Refuses, where the queue is full, the newest request of a holder that has at least two more in it than the new one. */
  private makeRoom(holder: Holder): boolean {
    const { waiting } = this.limits;
    const own = this.queued.ofOrganisation(holder);
    const isShareFull = own >= Math.ceil(waiting * WAITING_SHARE);
    if (!isShareFull && this.queued.total < waiting) return true;
    const refused =
      (isShareFull
        ? undefined
        : this.moreThan(own, (other) => this.queued.ofOrganisation(other))) ??
      this.moreThan(this.queued.ofVisitor(holder), (other) =>
        other.organisation === holder.organisation ? this.queued.ofVisitor(other) : -1,
      );
    if (refused === undefined) return false;
    this.dequeue(refused);
    refused.end(new UpstreamBusyError('place is given to a holder with fewer'));
    return true;
  }

  /** Newest request of the holder with the most in the queue, if that is at least two more. */
  private moreThan(count: number, countOf: (holder: Holder) => number): QueuedRequest | undefined {
    let most: QueuedRequest | undefined;
    for (const waiter of this.inQueue()) {
      if (countOf(waiter.holder) < count + 2) continue;
      if (most === undefined || compare(this.queued, waiter.holder, most.holder) >= 0)
        most = waiter;
    }
    return most;
  }

  private *inQueue(): Generator<QueuedRequest> {
    for (const waiter of this.waiters) if (!waiter.isOver) yield waiter;
  }

  /** Idempotent: an admitted request has left the queue already. */
  private dequeue(waiter: QueuedRequest): void {
    if (this.waiters.delete(waiter)) this.queued.remove(waiter.holder);
  }
}

/** Orders by the count of the organisation, then by that of the visitor. */
const compare = (tally: HolderTally, a: Holder, b: Holder): number =>
  tally.ofOrganisation(a) - tally.ofOrganisation(b) || tally.ofVisitor(a) - tally.ofVisitor(b);
