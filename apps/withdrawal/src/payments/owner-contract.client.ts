import { Chains } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { invalidRequest } from '@bascule/contracts';
import { Injectable } from '@nestjs/common';
import type { Address, Hex } from 'viem';
import { readChain } from '../chain/read-chain.client.js';
import type { ProjectedPayment } from '../persistence/projected-payment.entity.js';
import { WithdrawalSettings } from '../settings/withdrawal-settings.js';

/** Code that an EIP-7702 account delegates to: its key signs everywhere all the same. */
const DELEGATION = '0xef0100';

/** A contract signs only where it exists, or as a transaction can make it; that it can was checked for the legs' chains only. */
@Injectable()
export class OwnerContractClient {
  constructor(
    private readonly chains: Chains,
    private readonly settings: WithdrawalSettings,
  ) {}

  /** @throws ServiceError when the owner is a contract that could not sign on this chain */
  async requireDeployed(chain: Chain, payment: ProjectedPayment): Promise<void> {
    const { legs } = payment.declaration;
    if (legs.some(({ chain_id: id }) => id === String(chain.chainId))) return;
    const owner = payment.ownerAddress as Address;
    if ((await this.codeOf(owner, chain)) !== undefined) return;
    const home = await this.homeOf(owner, chain);
    if (home === null) return;
    const { network } = chain.definition;
    throw invalidRequest({
      kind: 'other',
      message:
        `The owner is a contract on ${home.definition.network} that does not exist on ${network}: ` +
        `nobody can sign there. Deploy it on ${network} first, at the same address.`,
    });
  }

  /** A chain that has the owner as a contract; one that cannot be read tells nothing. */
  private async homeOf(owner: Address, except: Chain): Promise<Chain | null> {
    const found = await Promise.all(
      this.chains
        .all()
        .filter(({ name }) => name !== except.name)
        .map(async (chain) => {
          const code = await this.codeOf(owner, chain).catch(() => undefined);
          return code === undefined || code.startsWith(DELEGATION) ? null : chain;
        }),
    );
    return found.find((chain) => chain !== null) ?? null;
  }

  private codeOf(address: Address, chain: Chain): Promise<Hex | undefined> {
    return readChain(chain.name, this.settings.balanceTimeoutMs, chain.client.getCode({ address }));
  }
}
