import { TOPICS, type OrganisationState, type RevenueShareState } from '@bascule/contracts';
import type { Outbox } from '@bascule/messaging';
import { OperatorError } from '@bascule/operator-commands';
import { IsNull, type DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { AuditLogRepository } from '../persistence/audit-log.repository.js';
import { OrganisationEntity } from '../persistence/organisation.entity.js';
import { RevenueShareEntity } from '../persistence/revenue-share.entity.js';
import { MAX_OPENED_EDGES, MAX_REDIRECT_ORIGINS, MAX_REVENUE_SHARES } from './limits.js';
import type { QuotaChange } from './quota-change.js';

interface Change {
  action: string;
  details: Record<string, unknown>;
  apply: (manager: EntityManager) => Promise<void>;
}

/** List of names in a column of an organisation. */
interface SettingsList {
  column: 'openedEdges' | 'redirectOrigins';
  max: number;
  what: string;
  /** State of an item in the list. */
  present: string;
  added: string;
  removed: string;
  /** Name of an item in the audit log. */
  detail: string;
}

const OPENED_EDGES: SettingsList = {
  ...{ column: 'openedEdges', max: MAX_OPENED_EDGES, what: 'opened edges', present: 'open' },
  ...{ added: 'edge.opened', removed: 'edge.closed', detail: 'edge' },
};
const REDIRECT_ORIGINS: SettingsList = {
  ...{ column: 'redirectOrigins', max: MAX_REDIRECT_ORIGINS, what: 'redirect origins' },
  ...{ present: 'registered', detail: 'origin' },
  ...{ added: 'redirect_origin.added', removed: 'redirect_origin.removed' },
};

/** Changes what is configured for an organisation: one transaction with its audit entry and its event. */
export class OrganisationSettingsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly auditLog: AuditLogRepository,
  ) {}

  createRevenueShare(organisationId: string, share: RevenueShareState): Promise<void> {
    return this.change(organisationId, {
      action: 'revenue_share.created',
      details: { ...share },
      apply: async (manager) => {
        const enabled = await enabledShares(manager, organisationId);
        if (enabled.some(({ name }) => name === share.name)) {
          throw new OperatorError('the organisation already has a revenue share with this name');
        }
        if (enabled.length >= MAX_REVENUE_SHARES) {
          throw new OperatorError(
            `the organisation has ${MAX_REVENUE_SHARES} revenue shares already: disable one`,
          );
        }
        await manager.insert(RevenueShareEntity, { id: uuidv7(), organisationId, ...share });
      },
    });
  }

  disableRevenueShare(organisationId: string, name: string): Promise<void> {
    return this.change(organisationId, {
      action: 'revenue_share.disabled',
      details: { name },
      apply: async (manager) => {
        const { affected } = await manager.update(
          RevenueShareEntity,
          { organisationId, name, disabledAt: IsNull() },
          { disabledAt: () => 'now()' },
        );
        if (affected === 0) throw new OperatorError('revenue share not found or already disabled');
      },
    });
  }

  /** Lists the shares of an organisation, newest last, disabled ones included. */
  async revenueShares(organisationId: string): Promise<RevenueShareEntity[]> {
    const { manager } = this.dataSource;
    await requireOrganisation(manager, organisationId);
    return manager.find(RevenueShareEntity, { where: { organisationId }, order: { id: 'ASC' } });
  }

  openEdge(organisationId: string, edge: string): Promise<void> {
    return this.add(organisationId, edge, OPENED_EDGES);
  }

  closeEdge(organisationId: string, edge: string): Promise<void> {
    return this.remove(organisationId, edge, OPENED_EDGES);
  }

  addRedirectOrigin(organisationId: string, origin: string): Promise<void> {
    return this.add(organisationId, origin, REDIRECT_ORIGINS);
  }

  removeRedirectOrigin(organisationId: string, origin: string): Promise<void> {
    return this.remove(organisationId, origin, REDIRECT_ORIGINS);
  }

  /** Sets quotas, or returns them to the deployment's with null; others stay as they are. */
  setQuotas(organisationId: string, quotas: QuotaChange): Promise<void> {
    return this.change(organisationId, {
      action: 'quotas.set',
      details: { ...quotas },
      apply: async (manager) => {
        const before = (await requireOrganisation(manager, organisationId)).quotas;
        const merged = Object.entries({ ...before, ...quotas });
        await manager.update(OrganisationEntity, organisationId, {
          quotas: Object.fromEntries(merged.filter(([, quota]) => quota !== null)),
        });
      },
    });
  }

  /** Edges, origins and quotas of an organisation. */
  organisation(organisationId: string): Promise<OrganisationEntity> {
    return requireOrganisation(this.dataSource.manager, organisationId);
  }

  private add(organisationId: string, item: string, list: SettingsList): Promise<void> {
    return this.changeList(organisationId, { item, list, action: list.added }, (items) => {
      if (items.includes(item)) throw new OperatorError(`${item} is ${list.present} already`);
      if (items.length >= list.max) {
        throw new OperatorError(
          `the organisation has ${list.max} ${list.what} already: remove one`,
        );
      }
      return [...items, item].sort();
    });
  }

  private remove(organisationId: string, item: string, list: SettingsList): Promise<void> {
    return this.changeList(organisationId, { item, list, action: list.removed }, (items) => {
      if (!items.includes(item)) throw new OperatorError(`${item} is not ${list.present}`);
      return items.filter((each) => each !== item);
    });
  }

  private changeList(
    organisationId: string,
    { item, list, action }: { item: string; list: SettingsList; action: string },
    next: (items: string[]) => string[],
  ): Promise<void> {
    return this.change(organisationId, {
      action,
      details: { [list.detail]: item },
      apply: async (manager) => {
        const items = (await requireOrganisation(manager, organisationId))[list.column];
        await manager.update(OrganisationEntity, organisationId, { [list.column]: next(items) });
      },
    });
  }

  private change(organisationId: string, { action, details, apply }: Change): Promise<void> {
    return this.dataSource.transaction(async (manager) => {
      // The update locks the row, so that the organisation's events keep their order in the outbox.
      const { affected } = await manager.increment(
        OrganisationEntity,
        { id: organisationId },
        'version',
        1,
      );
      if (affected === 0) throw new OperatorError('organisation not found');
      await apply(manager);
      await this.auditLog.append(manager, action, organisationId, details);
      await this.outbox.append(manager, {
        topic: TOPICS.organisation,
        type: 'organisation.configured',
        key: organisationId,
        data: await stateOf(manager, organisationId),
      });
    });
  }
}

const enabledShares = (manager: EntityManager, organisationId: string) =>
  manager.find(RevenueShareEntity, {
    where: { organisationId, disabledAt: IsNull() },
    order: { id: 'ASC' },
  });

async function requireOrganisation(
  manager: EntityManager,
  id: string,
): Promise<OrganisationEntity> {
  const found = await manager.findOneBy(OrganisationEntity, { id });
  if (!found) throw new OperatorError('organisation not found');
  return found;
}

async function stateOf(manager: EntityManager, id: string): Promise<OrganisationState> {
  const { version, openedEdges, redirectOrigins, quotas } = await requireOrganisation(manager, id);
  const shares = await enabledShares(manager, id);
  return {
    version,
    org_id: id,
    revenue_shares: shares.map(({ name, receivers }) => ({ name, receivers })),
    opened_edges: openedEdges,
    redirect_origins: redirectOrigins,
    quotas,
  };
}
