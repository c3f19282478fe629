import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import type { Hash } from 'viem';
import type { AttemptPurpose } from './persistence/chain-transaction-attempt.entity.js';
import type { SignedAttempt } from './signed-attempt.js';
import { insertAttempt, markBroadcast } from './transaction-store.js';
import type { StoredTransaction } from './transaction-store.js';

/** A fact about a recorded transaction before its outcome. */
export interface AttemptFact {
  kind: 'broadcast' | 'replaced';
  reference: string;
  chain: string;
  hash: Hash;
  purpose: AttemptPurpose;
}

/** Called once for each fact, in the database transaction that records it. */
export type AttemptHandler = (manager: EntityManager, fact: AttemptFact) => Promise<void>;

/** Records broadcasts and replacements, together with what the service derives from them. */
@Injectable()
export class AttemptLog {
  private handler: AttemptHandler | undefined;

  constructor(private readonly dataSource: DataSource) {}

  /** Registers the service's only handler, before the application starts. */
  onAttempt(handler: AttemptHandler): void {
    if (this.handler) throw new Error('an attempt handler is registered already');
    this.handler = handler;
  }

  /** Records that a node has accepted the attempt; a repeated call changes nothing. */
  async broadcast(hash: Hash): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const marked = await markBroadcast(manager, hash);
      if (marked) await this.handler?.(manager, { kind: 'broadcast', hash, ...marked });
    });
  }

  /** Returns false when the attempt's number is taken or the transaction is settled. */
  async replaced(
    { id, reference, chain }: StoredTransaction,
    number: number,
    attempt: SignedAttempt,
  ): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      if (!(await insertAttempt(manager, id, number, attempt))) return false;
      const { hash, purpose } = attempt;
      await this.handler?.(manager, { kind: 'replaced', reference, chain, hash, purpose });
      return true;
    });
  }
}
