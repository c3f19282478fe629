/** Address and key of one configured provider. */
export interface ProviderConnection {
  /** Lower-case letters, digits and dashes: the name in quotes, payments and callback paths. */
  name: string;
  baseUrl: string;
  apiKey: string;
  /** Time limit of a whole call; the adapter's default when absent. */
  timeoutMs?: number;
}
