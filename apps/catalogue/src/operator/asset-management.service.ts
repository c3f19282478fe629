import { chainDefinitions } from '@bascule/chain';
import { isTokenIdentifier, parseTokenIdentifier } from '@bascule/contracts';
import type { Chain } from '@bascule/contracts';
import { OperatorError } from '@bascule/operator-commands';
import type { DataSource, EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { zeroAddress, type Address } from 'viem';
import type { AssetChanges } from '../assets/asset-override.js';
import { AssetEntity } from '../persistence/asset.entity.js';
import { AssetOverrideEntity } from '../persistence/asset-override.entity.js';
import { AuditEntryEntity } from '../persistence/audit-entry.entity.js';
import { ChainEntity } from '../persistence/chain.entity.js';
import type { SaidChanges } from './operator-arguments.js';
import type { TokenFacts } from './token-contract.client.js';

interface Said {
  hidden: boolean;
  changes: AssetChanges;
}

/** Which version of what was said, of which asset. */
export interface Change {
  id: string;
  version: number;
}

type ReadToken = (rpcUrl: string, chain: Chain, address: Address) => Promise<TokenFacts>;

const BASE_CURRENCY = 'usd';
const NOTHING: Said = { hidden: false, changes: {} };

/**
 * What an operator says of assets; each word and its audit entry commit together. Running replicas follow it by
 * themselves, and publish it.
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

  said(): Promise<AssetOverrideEntity[]> {
    return this.dataSource.manager.find(AssetOverrideEntity, { order: { id: 'ASC' } });
  }

  history(id: string): Promise<AuditEntryEntity[]> {
    const order = { at: 'ASC', id: 'ASC' } as const;
    return this.dataSource.manager.find(AuditEntryEntity, { where: { subjectId: id }, order });
  }

  /** Its decimals are the contract's; so are its name and symbol, unless something else is said. */
  async add(
    id: string,
    changes: SaidChanges,
    { rpcUrl, isSure }: { rpcUrl: string | null; isSure: boolean },
  ): Promise<Change> {
    const { chain, address } = await this.tokenOf(id);
    const { name, symbol, decimals } = await this.readToken(rpcUrl ?? chain.rpc, chain, address);
    requireFeed(id, symbol, { pair: changes.pair, isSure });
    return this.say('asset.added', id, ({ asset, said }) => {
      if (said.hidden) throw new OperatorError('it is hidden: show it, then override it');
      if (asset?.listed) throw new OperatorError('it is listed already: override it');
      return { hidden: false, changes: { name, symbol, ...changes, decimals } };
    });
  }

  override(id: string, changes: SaidChanges, isSure: boolean): Promise<Change> {
    return this.say('asset.overridden', id, ({ asset, said }) => {
      if (!asset) throw new OperatorError('no such asset');
      requireFeed(id, asset.asset.symbol, { pair: changes.pair, isSure });
      return { ...said, changes: { ...said.changes, ...changes } };
    });
  }

  hide(id: string): Promise<Change> {
    return this.say('asset.hidden', id, ({ asset, said }) => {
      if (!asset?.listed) throw new OperatorError('no such asset is listed');
      const isNative = 'chain' in asset.asset && asset.asset.is_native;
      if (isNative)
        throw new OperatorError('every transaction of its chain is paid in it: it stays');
      if (id === BASE_CURRENCY) throw new OperatorError('everything is priced in it: it stays');
      return { ...said, hidden: true };
    });
  }

  show(id: string): Promise<Change> {
    return this.say('asset.shown', id, ({ said }) => {
      if (!said.hidden) throw new OperatorError('it is not hidden');
      return { ...said, hidden: false };
    });
  }

  /** Back to what the lists have; what they do not have is listed no more. */
  reset(id: string): Promise<Change> {
    return this.say('asset.reset', id, ({ said }) => {
      const isSilent = !said.hidden && Object.keys(said.changes).length === 0;
      if (isSilent) throw new OperatorError('nothing is said of it');
      return NOTHING;
    });
  }

  /** Whether a running replica follows it, and has published it. */
  async isFollowed({ id, version }: Change): Promise<boolean> {
    const row = await this.dataSource.manager.findOneBy(AssetOverrideEntity, { id });
    return (row?.appliedVersion ?? 0) >= version;
  }

  private async tokenOf(id: string): Promise<{ chain: Chain; address: Address }> {
    if (!isTokenIdentifier(id)) throw new OperatorError('only tokens can be added');
    const { chain: name, address } = parseTokenIdentifier(id);
    if (address === zeroAddress) throw new OperatorError('only tokens can be added');
    const row = await this.dataSource.manager.findOneBy(ChainEntity, { name, listed: true });
    if (!row) throw new OperatorError(`the deployment has no chain ${name}`);
    return { chain: row.chain, address };
  }

  private say(
    action: string,
    id: string,
    next: (before: { asset: AssetEntity | null; said: Said }) => Said,
  ): Promise<Change> {
    return this.dataSource.transaction(async (manager) => {
      await manager.query(
        `SELECT pg_advisory_xact_lock(hashtext('asset override'), hashtext($1))`,
        [id],
      );
      const row = await manager.findOneBy(AssetOverrideEntity, { id });
      const asset = await manager.findOneBy(AssetEntity, { id });
      const before = row ? { hidden: row.hidden, changes: row.changes } : NOTHING;
      const after = next({ asset, said: before });
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
 * Only a feed that the token's chain has can price it, and only one of its own name does without more: a token with
 * another's price is mispriced at once.
 */
function requireFeed(
  id: string,
  symbol: string | undefined,
  { pair, isSure }: { pair: string | undefined; isSure: boolean },
): void {
  if (pair === undefined) return;
  if (!isTokenIdentifier(id)) throw new OperatorError('only tokens are priced by feeds');
  const { chain } = parseTokenIdentifier(id);
  const pairs = Object.keys(chainDefinitions[chain]?.contracts.priceFeeds ?? {});
  if (!pairs.includes(pair)) {
    throw new OperatorError(`${chain} has no feed ${pair}, only ${pairs.join(', ') || 'none'}`);
  }
  if (isSure || pair === `${symbol?.toLowerCase()}/usd`) return;
  throw new OperatorError(
    `${symbol ?? id} is not what ${pair} prices: --sure says it is worth that`,
  );
}
