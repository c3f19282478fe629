import type { PaymentEvent } from '@bascule/contracts';
import { Inbox } from '@bascule/messaging';
import { faultPoint } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DispatcherWorker } from '../delivery/dispatcher.worker.js';
import { BatchedWritesRepository } from '../persistence/batched-writes.repository.js';
import { DeliveryRepository, type EnqueuedOutcome } from '../persistence/delivery.repository.js';

interface OutcomeEvent extends Pick<PaymentEvent, 'id' | 'time'>, EnqueuedOutcome {}

const PACE_MS = 8;

/** Batches concurrent events, with their effects and inbox entries, into one transaction. */
@Injectable()
export class EnqueueService {
  private readonly writes: BatchedWritesRepository<OutcomeEvent, void>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly deliveries: DeliveryRepository,
    private readonly dispatcher: DispatcherWorker,
  ) {
    this.writes = new BatchedWritesRepository(PACE_MS, (events) => this.enqueue(events));
  }

  /** Resolves once the enqueued deliveries are committed. */
  add(event: OutcomeEvent): Promise<void> {
    return this.writes.add(event);
  }

  private async enqueue(events: readonly OutcomeEvent[]): Promise<void[]> {
    const enqueued = await this.dataSource.transaction(async (manager) =>
      this.deliveries.enqueue(manager, await this.inbox.onceEach(manager, events)),
    );
    if (enqueued > 0) {
      faultPoint('webhook.enqueued');
      this.dispatcher.wake();
    }
    return events.map(() => undefined);
  }
}
