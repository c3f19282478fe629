import type { PaymentMethod } from './payment-methods.js';
import type { TokenIdentifier } from './wire.js';

/** In alphabetical order. */
export interface AvailableAssets {
  /** Lower-case fiat codes. */
  fiats: string[];
  tokens: TokenIdentifier[];
}

/** `GET /assets/available-outputs`: by input; `available-inputs`: by output. What has no route is left out. */
export type AvailableAssetsResponse = Record<string, AvailableAssets>;

/** `GET /payments/methods`: by lower-case provider. */
export interface PaymentMethodsResponse {
  providers: Record<string, PaymentMethod[]>;
  /** Rails that the service itself operates; absent where there are none. */
  in_house?: Record<string, PaymentMethod[]>;
}
