import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hexToBytes } from 'viem';
import type { Hex } from 'viem';
import type { SignerOperation, SignerProvider } from '../signer-error.js';
import { awsWire } from './aws-wire.fixture.js';
import { azureWire } from './azure-wire.fixture.js';
import { googleWire } from './google-wire.fixture.js';
import { StandInKey } from './stand-in-key.fixture.js';
import type { HttpAnswer, Misbehaviour } from './stand-in-key.fixture.js';

export interface SeenRequest {
  readonly provider: SignerProvider;
  readonly operation: SignerOperation;
}

/** AWS KMS, Google Cloud KMS and Azure Key Vault in one server, which hold one real key. */
export interface StandInKms {
  /** Locations of the key. */
  readonly locations: Readonly<Record<SignerProvider, string>>;
  /** Variables of a service that signs by the key. */
  readonly environment: Readonly<Record<string, string>>;
  /** Requests for the key so far, without those for credentials. */
  readonly requests: readonly SeenRequest[];
  /** Misbehaves so in the next requests for the key, one by one. */
  misbehave(...next: readonly Misbehaviour[]): void;
  /** Stops the server and restores the credentials of the process. */
  stop(): Promise<void>;
}

/** Credentials, which the clients read from the environment of the process. */
const credentials = (host: string): Record<string, string> => ({
  AWS_ACCESS_KEY_ID: 'stand-in',
  AWS_SECRET_ACCESS_KEY: 'stand-in-secret',
  GCE_METADATA_HOST: host,
  METADATA_SERVER_DETECTION: 'assume-present',
  IDENTITY_ENDPOINT: `http://${host}/identity`,
  IDENTITY_HEADER: 'stand-in',
  AZURE_TOKEN_CREDENTIALS: 'ManagedIdentityCredential',
});

/** Starts the server and sets the credentials of this process to those that it accepts, until it stops. */
export async function startStandInKms(options: {
  privateKey: Hex;
  port: number;
}): Promise<StandInKms> {
  const host = `127.0.0.1:${options.port}`;
  const key = new StandInKey(hexToBytes(options.privateKey));
  const requests: SeenRequest[] = [];
  const planned: Misbehaviour[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then((body) => respond(request, body, response));
  });

  function respond(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const path = request.url ?? '';
    const aside = googleWire.metadata(path) ?? azureWire.identity(path);
    if (aside) return write(response, aside);
    const seen = seenRequest(request);
    if (!seen) return write(response, { status: 404, body: {} });
    const authorization = request.headers.authorization ?? '';
    if (seen.provider === 'azure-kv' && !azureWire.isAuthorized(authorization)) {
      return write(response, azureWire.challenge);
    }
    requests.push(seen);
    const misbehaviour = planned.shift();
    if (misbehaviour === 'hangs') return;
    if (misbehaviour === 'hangs up') return void response.destroy();
    if (misbehaviour === 'answers without JSON') {
      return void response.writeHead(200).end('<html>maintenance</html>');
    }
    const parsed: unknown = body.length === 0 ? {} : JSON.parse(body.toString());
    const asked = { operation: seen.operation, misbehaviour };
    write(response, answer(seen.provider, asked, authorization, { path, body: parsed as object }));
  }

  function answer(
    provider: SignerProvider,
    asked: { operation: SignerOperation; misbehaviour: Misbehaviour | undefined },
    authorization: string,
    { path, body }: { path: string; body: object },
  ): HttpAnswer {
    if (provider === 'aws-kms') return awsWire.answer(key, asked, authorization, body);
    const wire = provider === 'gcp-kms' ? googleWire : azureWire;
    return wire.answer(key, asked, authorization, { path, body });
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const before = new Map<string, string | undefined>();
  for (const [name, value] of Object.entries(credentials(host))) {
    before.set(name, process.env[name]);
    process.env[name] = value;
  }
  return {
    locations: {
      'aws-kms': awsWire.location,
      'gcp-kms': googleWire.location,
      'azure-kv': azureWire.location,
    },
    environment: {
      AWS_ENDPOINT_URL_KMS: `http://${host}`,
      GCP_KMS_ENDPOINT: `http://${host}`,
      AZURE_KEY_VAULT_ENDPOINT: `http://${host}`,
    },
    requests,
    misbehave: (...next) => void planned.splice(0, planned.length, ...next),
    async stop() {
      for (const [name, value] of before) {
        if (value === undefined) Reflect.deleteProperty(process.env, name);
        else process.env[name] = value;
      }
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function seenRequest({ url = '', headers }: IncomingMessage): SeenRequest | undefined {
  const found = {
    'aws-kms': awsWire.operationOf(headers),
    'gcp-kms': googleWire.operationOf(url),
    'azure-kv': azureWire.operationOf(url),
  };
  for (const provider of ['aws-kms', 'gcp-kms', 'azure-kv'] as const) {
    const operation = found[provider];
    if (operation) return { provider, operation };
  }
  return undefined;
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function write(response: ServerResponse, { status, headers, body }: HttpAnswer): void {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(body));
}
