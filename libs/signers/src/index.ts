export { accountOf } from './account-of.js';
export { openSigner, type SignerEnvironment, type SignersConfig } from './open-signer.js';
export { SignerRefusedError, SignerUnavailableError } from './signer-error.js';
export { signerLocation, signerLocations, signersEnv } from './signer-location.js';
export type { Signer } from './signer.js';
