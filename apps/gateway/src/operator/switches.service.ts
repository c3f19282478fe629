import {
  NO_SWITCHES,
  pauseName,
  pauseOf,
  SWITCHES_KEY,
  TOPICS,
  type Pause,
  type SwitchesState,
} from '@bascule/contracts';
import type { Outbox } from '@bascule/messaging';
import { OperatorError } from '@bascule/operator-commands';
import type { DataSource } from 'typeorm';
import { NIL } from 'uuid';
import { DEPLOYMENT } from '../persistence/audit-log.repository.js';
import type { AuditLogRepository } from '../persistence/audit-log.repository.js';
import { OrganisationEntity } from '../persistence/organisation.entity.js';
import { SwitchesEntity } from '../persistence/switches.entity.js';
import { lockSingleRow } from '../persistence/single-row.repository.js';

/** All switches are one event, which has a largest size. */
export const MAX_PAUSES = 256;

type Subject = Pick<Pause, 'kind' | 'subject'>;

interface Change {
  action: 'switch.paused' | 'switch.resumed';
  about: Subject;
  details: Record<string, unknown>;
  /** @throws OperatorError for a change that changes nothing */
  next: (paused: readonly Pause[], now: Date) => readonly Pause[];
}

/** Turns switches on and off: one transaction with its audit entry and its event. */
export class SwitchesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly auditLog: AuditLogRepository,
  ) {}

  async state(): Promise<SwitchesState> {
    const id = SWITCHES_KEY;
    const stored = await this.dataSource.manager.findOneBy(SwitchesEntity, { id });
    return stored ?? NO_SWITCHES;
  }

  /** @returns the version from which on the pause holds */
  async pause({ kind, subject }: Subject, reason: string): Promise<number> {
    if (kind === 'organisation') await this.requireOrganisation(subject);
    return this.change({
      action: 'switch.paused',
      about: { kind, subject },
      details: { kind, subject, reason },
      next: (paused, now) => {
        if (pauseOf({ paused }, kind, subject) !== undefined) {
          throw new OperatorError(`${pauseName({ kind, subject })} is paused already`);
        }
        if (paused.length >= MAX_PAUSES) {
          throw new OperatorError(`${MAX_PAUSES} switches are on; resume one of them first`);
        }
        return [...paused, { kind, subject, reason, since: now.toISOString() }];
      },
    });
  }

  /** @returns the version from which on the pause is over */
  resume({ kind, subject }: Subject): Promise<number> {
    return this.change({
      action: 'switch.resumed',
      about: { kind, subject },
      details: { kind, subject },
      next: (paused) => {
        const pause = pauseOf({ paused }, kind, subject);
        if (pause !== undefined) return paused.filter((each) => each !== pause);
        const on = paused.map((each) => pauseName(each)).join(', ') || 'nothing';
        throw new OperatorError(`${pauseName({ kind, subject })} is not paused; paused: ${on}`);
      },
    });
  }

  private async requireOrganisation(id: string | null): Promise<void> {
    const isKnown = await this.dataSource.manager.existsBy(OrganisationEntity, { id: id ?? NIL });
    if (!isKnown) {
      throw new OperatorError(`Organisation ${id} not found. See organisations list.`);
    }
  }

  private change({ action, about, details, next }: Change): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      const before = await lockSingleRow(manager, SwitchesEntity, {
        id: SWITCHES_KEY,
        ...NO_SWITCHES,
      });
      const paused = next(before.paused, new Date());
      const data: SwitchesState = { version: before.version + 1, paused };
      await manager.update(SwitchesEntity, SWITCHES_KEY, data);
      const subject = about.kind === 'organisation' ? about.subject : null;
      await this.auditLog.append(manager, action, subject ?? DEPLOYMENT, details);
      await this.outbox.append(manager, {
        topic: TOPICS.switches,
        type: 'switches.changed',
        key: SWITCHES_KEY,
        data,
      });
      return data.version;
    });
  }
}
