import { accountKinds, Chains, witnessedView } from '@bascule/chain';
import type { AccountKind, Chain } from '@bascule/chain';
import { readChain } from '@bascule/wallet-balances';
import { Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import type { ProjectedPayment } from '../persistence/projected-payment.entity.js';
import { WithdrawalSettings } from '../settings/withdrawal-settings.js';
import { isChainOfLeg } from './chain-of-leg.js';

/** Payment whose owner may have to sign on a chain. */
export interface SigningPlace {
  chain: Chain;
  payment: ProjectedPayment;
}

export type CanSign = (place: SigningPlace) => boolean;

/** Kinds of accounts by chain and address; absent where a chain could not be read. */
type KnownKinds = ReadonlyMap<string, ReadonlyMap<string, AccountKind>>;

type ReadKinds = (chain: Chain, owners: readonly Address[]) => Promise<AccountKind[]>;

/** Tells where owners can sign: a key can on every chain, a contract where it is deployed. */
@Injectable()
export class SigningOwnersClient {
  constructor(
    private readonly chains: Chains,
    private readonly settings: WithdrawalSettings,
  ) {}

  /**
   * Asks each chain once for all owners, and its nodes once more where an owner seems unable to sign: two of several must
   * say so. An owner counts as able where a chain cannot be read, since the request of the withdrawal decides.
   */
  async read(places: readonly SigningPlace[]): Promise<CanSign> {
    const unknown = places.filter(({ chain, payment }) => !isChainOfLeg(chain, payment));
    const owners = [...new Set(unknown.map(ownerOf))];
    if (owners.length === 0) return () => true;
    const canSign = signingBy(
      await this.kinds(owners, (chain, all) => accountKinds(chain.anyNode, all)),
    );
    if (unknown.every(canSign)) return canSign;
    return signingBy(await this.kinds(owners, witnessedKinds));
  }

  private async kinds(owners: readonly Address[], read: ReadKinds): Promise<KnownKinds> {
    const found = await Promise.all(
      this.chains.all().map(async (chain) => {
        const asked = readChain(chain.name, this.settings.balanceTimeoutMs, read(chain, owners));
        const kinds = await asked.catch(() => []);
        const byOwner = kinds.map((kind, index) => [String(owners[index]), kind] as const);
        return [chain.name, new Map(byOwner)] as const;
      }),
    );
    return new Map(found);
  }
}

const witnessedKinds: ReadKinds = (chain, owners) =>
  witnessedView(chain, (view) => accountKinds(view, owners), String);

const ownerOf = ({ payment }: SigningPlace): Address =>
  payment.ownerAddress.toLowerCase() as Address;

/** An owner cannot sign where it has no code and is a contract on another chain. */
function signingBy(known: KnownKinds): CanSign {
  return (place) => {
    const { chain, payment } = place;
    if (isChainOfLeg(chain, payment)) return true;
    const owner = ownerOf(place);
    if (known.get(chain.name)?.get(owner) !== 'codeless') return true;
    return ![...known.values()].some((kinds) => kinds.get(owner) === 'contract');
  };
}
