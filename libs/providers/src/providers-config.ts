/** One configured provider. */
export interface ProviderConfig {
  /** Lower-case letters, digits and dashes: the name in quotes, payments and callback paths. */
  name: string;
  adapter: ProviderAdapterName;
  baseUrl: string;
  apiKey: string;
  callbackSecret: string;
}

export const PROVIDER_ADAPTERS = ['sandbox'] as const;
export type ProviderAdapterName = (typeof PROVIDER_ADAPTERS)[number];

export type ProvidersConfig = readonly ProviderConfig[];
