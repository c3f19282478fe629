import type { PaymentMethod } from './payment-methods.js';
import type { AssetIdentifier, FiatCode, ProviderName, TokenIdentifier } from './wire.js';

/** Assets in alphabetical order. */
export interface AvailableAssets {
  /** Lower-case fiat codes. */
  fiats: FiatCode[];
  /** Token identifiers. */
  tokens: TokenIdentifier[];
}

/** Assets that can be reached, keyed by the named asset; one without a route is left out. */
export type AvailableAssetsResponse = Record<AssetIdentifier, AvailableAssets>;

/** Payment methods by provider. */
export interface PaymentMethodsResponse {
  /** Methods of each provider that serves the request. */
  providers: Record<ProviderName, PaymentMethod[]>;
  /** Rails that the service itself operates; absent where there are none. */
  in_house?: Record<ProviderName, PaymentMethod[]>;
}
