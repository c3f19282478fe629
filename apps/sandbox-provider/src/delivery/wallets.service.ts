import { Chains } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { privateKeyToAccount } from 'viem/accounts';
import type { PrivateKeyAccount } from 'viem/accounts';
import { Wallet } from '../persistence/wallet.entity.js';
import { ProviderRegistryService } from '../providers/provider-registry.service.js';

/** Wallets of the providers. */
@Injectable()
export class WalletsService {
  private readonly accounts: ReadonlyMap<string, PrivateKeyAccount>;

  constructor(
    providers: ProviderRegistryService,
    private readonly chains: Chains,
  ) {
    this.accounts = new Map(
      providers
        .all()
        .map(({ offer, walletPrivateKey }) => [offer.name, privateKeyToAccount(walletPrivateKey)]),
    );
  }

  account(provider: string): PrivateKeyAccount {
    const account = this.accounts.get(provider);
    if (account === undefined) throw new Error(`provider ${provider} is not configured`);
    return account;
  }

  /** Locks the wallet's row until the database transaction ends. */
  async lock(manager: EntityManager, provider: string, network: string): Promise<Wallet> {
    const { address } = this.account(provider);
    const id = `${network}:${address.toLowerCase()}`;
    await manager
      .createQueryBuilder()
      .insert()
      .into(Wallet)
      .values({ id, provider, network, address, nextNonce: 0n })
      .orIgnore()
      .execute();
    return manager.findOneOrFail(Wallet, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  async nonceOnChain(provider: string, chain: Chain): Promise<bigint> {
    const { address } = this.account(provider);
    return BigInt(await chain.anyNode.client.getTransactionCount({ address, blockTag: 'latest' }));
  }

  chain(network: string): Chain {
    return this.chains.get(network);
  }
}
