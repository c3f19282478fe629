import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

const folderOf = (name: string): string => dirname(require.resolve(`${name}/package.json`));

/** Reads the OpenAPI document of this release. */
export const readDescription = (): object =>
  JSON.parse(
    readFileSync(join(folderOf('@bascule/gateway'), '../../docs/api/openapi.json'), 'utf8'),
  ) as object;

/** File that a browser loads for the reader. */
export interface ReaderFile {
  path: string;
  type: string;
  bytes: Buffer;
}

/** Relative addresses, so that the reader also works below a prefix of a proxy. */
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <script src="docs/swagger-ui-bundle.js" defer></script>
    <script src="docs/start.js" defer></script>
  </head>
  <body><div id="reader"></div></body>
</html>
`;

/** Without a validator, which would be another host. */
const START = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#reader', deepLinking: true, validatorUrl: null });
`;

/** Lists the reader's files: the page, and Swagger UI from its package. */
export function readerFiles(): readonly ReaderFile[] {
  const bundled = (name: string): Buffer => readFileSync(join(folderOf('swagger-ui-dist'), name));
  return [
    { path: '/docs', type: 'text/html; charset=utf-8', bytes: Buffer.from(PAGE) },
    {
      path: '/docs/start.js',
      type: 'text/javascript; charset=utf-8',
      bytes: Buffer.from(START),
    },
    {
      path: '/docs/swagger-ui-bundle.js',
      type: 'text/javascript; charset=utf-8',
      bytes: bundled('swagger-ui-bundle.js'),
    },
    {
      path: '/docs/swagger-ui.css',
      type: 'text/css; charset=utf-8',
      bytes: bundled('swagger-ui.css'),
    },
  ];
}
