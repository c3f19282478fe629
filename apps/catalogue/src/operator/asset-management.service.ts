import { chainDefinitions } from '@bascule/chain';
import { isTokenIdentifier, parseTokenIdentifier } from '@bascule/contracts';
import { OperatorError } from '@bascule/operator-commands';
import type { DataSource, EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { zeroAddress } from 'viem';
import type { AssetChanges } from '../assets/asset-override.js';
import { AssetEntity } from '../persistence/asset.entity.js';
import { AssetOverrideEntity } from '../persistence/asset-override.entity.js';
import { AuditEntryEntity } from '../persistence/audit-entry.entity.js';
import { ChainEntity } from '../persistence/chain.entity.js';
import type { OverrideChanges, TokenReading } from './operator-arguments.js';
import type { TokenContract, TokenFacts } from './token-contract.client.js';

interface OverrideState {
  hidden: boolean;
  changes: AssetChanges;
}

/** An override of an asset with its version. */
export interface Change {
  id: string;
  version: number;
}

type ReadToken = (token: TokenContract, reading: TokenReading) => Promise<TokenFacts>;

const BASE_CURRENCY = 'usd';
const NOTHING: OverrideState = { hidden: false, changes: {} };

/**
 * Records an operator's overrides of assets, each in one transaction with its audit entry. Running replicas apply and
 * publish them.
 */
export class AssetManagementService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly actor: string,
    private readonly readToken: ReadToken,
  ) {}

  listed(): Promise<AssetEntity[]> {
    return this.dataSource.manager.find(AssetEntity, { order: { id: 'ASC' } });
  }

  overrides(): Promise<AssetOverrideEntity[]> {
    return this.dataSource.manager.find(AssetOverrideEntity, { order: { id: 'ASC' } });
  }

  history(id: string): Promise<AuditEntryEntity[]> {
    const order = { at: 'ASC', id: 'ASC' } as const;
    return this.dataSource.manager.find(AuditEntryEntity, { where: { subjectId: id }, order });
  }

  /** Adds a token with the decimals of its contract, and its name and symbol unless overridden. */
  async add(
    id: string,
    changes: OverrideChanges,
    { isSure, ...reading }: TokenReading & { isSure: boolean },
  ): Promise<Change & { stored: TokenFacts }> {
    const { name, symbol, decimals } = await this.readToken(await this.tokenOf(id), reading);
    requireFeed(id, symbol, { pair: changes.pair, isSure });
    const stored = { name, symbol, ...changes, decimals };
    const change = await this.record('asset.added', id, ({ asset, override }) => {
      if (override.hidden)
        throw new OperatorError('the asset is hidden: show it, then override it');
      if (asset?.listed) throw new OperatorError('the asset is listed already: override it');
      return { hidden: false, changes: stored };
    });
    return { ...change, stored };
  }

  override(id: string, changes: OverrideChanges, isSure: boolean): Promise<Change> {
    return this.record('asset.overridden', id, ({ asset, override }) => {
      if (!asset) throw new OperatorError('asset not found');
      requireFeed(id, asset.asset.symbol, { pair: changes.pair, isSure });
      return { ...override, changes: { ...override.changes, ...changes } };
    });
  }

  hide(id: string): Promise<Change> {
    return this.record('asset.hidden', id, ({ asset, override }) => {
      if (!asset?.listed) throw new OperatorError('asset not listed');
      const isNative = 'chain' in asset.asset && asset.asset.is_native;
      if (isNative) throw new OperatorError('cannot hide the native currency of a chain');
      if (id === BASE_CURRENCY)
        throw new OperatorError('cannot hide the currency that all prices are in');
      return { ...override, hidden: true };
    });
  }

  show(id: string): Promise<Change> {
    return this.record('asset.shown', id, ({ override }) => {
      if (!override.hidden) throw new OperatorError('the asset is not hidden');
      return { ...override, hidden: false };
    });
  }

  /** Removes the override; an added token is delisted. */
  reset(id: string): Promise<Change> {
    return this.record('asset.reset', id, ({ override }) => {
      const isEmpty = !override.hidden && Object.keys(override.changes).length === 0;
      if (isEmpty) throw new OperatorError('the asset has no override');
      return NOTHING;
    });
  }

  /** Whether a running replica has applied and published the override. */
  async isApplied({ id, version }: Change): Promise<boolean> {
    const row = await this.dataSource.manager.findOneBy(AssetOverrideEntity, { id });
    return (row?.appliedVersion ?? 0) >= version;
  }

  private async tokenOf(id: string): Promise<TokenContract> {
    if (!isTokenIdentifier(id)) throw new OperatorError('only tokens can be added');
    const { chain: name, address } = parseTokenIdentifier(id);
    if (address === zeroAddress) throw new OperatorError('only tokens can be added');
    const row = await this.dataSource.manager.findOneBy(ChainEntity, { name, listed: true });
    if (!row) throw new OperatorError(`the deployment has no chain ${name}`);
    return { chain: name, publicRpc: row.chain.rpc, address };
  }

  private record(
    action: string,
    id: string,
    next: (before: { asset: AssetEntity | null; override: OverrideState }) => OverrideState,
  ): Promise<Change> {
    return this.dataSource.transaction(async (manager) => {
      await manager.query(
        `SELECT pg_advisory_xact_lock(hashtext('asset override'), hashtext($1))`,
        [id],
      );
      const row = await manager.findOneBy(AssetOverrideEntity, { id });
      const asset = await manager.findOneBy(AssetEntity, { id });
      const before = row ? { hidden: row.hidden, changes: row.changes } : NOTHING;
      const after = next({ asset, override: before });
      const version = (row?.version ?? 0) + 1;
      if (row) await manager.update(AssetOverrideEntity, { id }, { ...after, version });
      else await manager.insert(AssetOverrideEntity, { id, ...after, version, appliedVersion: 0 });
      await this.audit(manager, action, id, { before, after });
      return { id, version };
    });
  }

  private async audit(
    manager: EntityManager,
    action: string,
    subjectId: string,
    details: Record<string, unknown>,
  ): Promise<void> {
    await manager.query(
      'INSERT INTO audit_log (id, actor, action, subject_id, details) VALUES ($1, $2, $3, $4, $5)',
      [uuidv7(), this.actor, action, subjectId, JSON.stringify(details)],
    );
  }
}

/**
 * Requires a price feed of the token's chain and, unless the operator is sure, of the token's own symbol: a wrong feed
 * misprices the token immediately.
 */
function requireFeed(
  id: string,
  symbol: string | undefined,
  { pair, isSure }: { pair: string | undefined; isSure: boolean },
): void {
  if (pair === undefined) return;
  if (!isTokenIdentifier(id)) throw new OperatorError('only tokens can have a price feed');
  const { chain } = parseTokenIdentifier(id);
  const pairs = Object.keys(chainDefinitions[chain]?.contracts.priceFeeds ?? {});
  if (!pairs.includes(pair)) {
    throw new OperatorError(`${chain} has no feed ${pair}, only ${pairs.join(', ') || 'none'}`);
  }
  if (isSure || pair === `${symbol?.toLowerCase()}/usd`) return;
  throw new OperatorError(`${pair} is not the feed of ${symbol ?? id}; confirm with --sure`);
}
