// Builds ../static/islands: main.js (shell and island runtime, no React), the lazy chunks, shop.css and pages.css.
//   node build.mjs           minified, budget checked
//   node build.mjs --watch   for `make dev`
import { copyFile, mkdir, readFile, readdir, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import * as esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const assets = join(here, "../static");
const out = join(assets, "islands");
const watch = process.argv.includes("--watch");
// Brotli bytes of a first load. The styles with their headers fit into what a server sends before it waits for the
// phone's first answer: ten packets of 1,460 bytes (RFC 6928).
const BUDGET = { script: 8 * 1024, style: 14_000 };

const shared = {
  absWorkingDir: here,
  bundle: true,
  minify: !watch,
  sourcemap: watch,
  metafile: true,
  legalComments: "none",
  logLevel: "warning",
};

const scripts = {
  ...shared,
  entryPoints: { main: "main.ts" },
  outdir: out,
  format: "esm",
  splitting: true,
  target: ["es2022"],
  jsx: "automatic",
  // Eight capitals or digits: what settings.WHITENOISE_IMMUTABLE_FILE_TEST takes for a content hash.
  chunkNames: "[name]-[hash]",
  define: { "process.env.NODE_ENV": JSON.stringify(watch ? "development" : "production"), ISLAND_SCRIPTS: "[]" },
};

const styles = {
  ...shared,
  entryPoints: { shop: join(assets, "css/shop.css"), pages: join(assets, "css/pages.css") },
  outdir: out,
  target: ["chrome111", "safari16", "firefox115"],
  // Left as written: the files are hashed by Django's manifest. Keep ../ relative to static/css.
  external: ["*.woff2", "*.svg", "*.webp", "*.png"],
};

async function copyHtmx() {
  await mkdir(join(assets, "vendor"), { recursive: true });
  await copyFile(join(here, "node_modules/htmx.org/dist/htmx.min.js"), join(assets, "vendor/htmx.min.js"));
}

/**
 * main.js whole, in one file and one request, beside the lazy chunks that it imports by name.
 *
 * esbuild's splitting would put every few lines that both need into a file of their own, each fetched on each first
 * visit. Built apart, both hold them: such modules may keep nothing that the other must see.
 */
async function buildScripts() {
  const { metafile } = await esbuild.build({ ...scripts, write: false });
  const wanted = Object.values(metafile.inputs).flatMap((input) => input.imports);
  const entries = [...new Set(wanted.filter((wish) => wish.kind === "dynamic-import").map((wish) => wish.path))];
  const lazy = await esbuild.build({ ...scripts, entryPoints: entries, entryNames: "[name]-[hash]" });
  const built = new Map(Object.entries(lazy.metafile.outputs).map(([file, { entryPoint }]) => [entryPoint, basename(file)]));
  const byName = {
    name: "lazy chunks by name",
    setup: (build) =>
      build.onResolve({ filter: /^\./ }, async ({ kind, path, resolveDir, pluginData }) => {
        if (kind !== "dynamic-import" || pluginData === "seen") return undefined;
        const found = await build.resolve(path, { kind, resolveDir, pluginData: "seen" });
        return { path: `./${built.get(relative(here, found.path))}`, external: true };
      }),
  };
  const define = { ...scripts.define, ISLAND_SCRIPTS: JSON.stringify(["react.ts", "islands.ts"].map((entry) => built.get(entry))) };
  return esbuild.build({ ...scripts, splitting: false, plugins: [byName], define });
}

/** Brotli bytes of a file, as WhiteNoise stores it. */
async function weigh(path) {
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
  return brotliCompressSync(await readFile(path), options).length;
}

/** Everything the browser fetches before an island is wanted: main.js and what it imports at once. */
function firstLoad(outputs) {
  const seen = new Set();
  const visit = (path) => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const imported of outputs[path].imports) {
      if (imported.kind === "import-statement" && !imported.external) visit(imported.path);
    }
  };
  visit(Object.keys(outputs).find((path) => basename(path) === "main.js"));
  return [...seen];
}

async function checkBudget(outputs) {
  const first = firstLoad(outputs);
  if (first.some((path) => Object.keys(outputs[path].inputs).some((input) => input.includes("node_modules/react")))) {
    throw new Error("React is part of the first load: import it lazily (island.ts).");
  }
  const sizes = await Promise.all(first.map((path) => weigh(join(here, path))));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total > BUDGET.script) throw new Error(`main.js and its imports: ${total} B brotli, allowed ${BUDGET.script}`);
  const style = join(out, "shop.css");
  if (existsSync(style) && (await weigh(style)) > BUDGET.style) {
    throw new Error(`shop.css: ${await weigh(style)} B brotli, allowed ${BUDGET.style}`);
  }
}

async function report() {
  for (const name of (await readdir(out)).sort()) {
    if (/\.(js|css)$/.test(name)) console.log(`${String(await weigh(join(out, name))).padStart(7)} B br  ${name}`);
  }
}

if (watch) {
  await copyHtmx();
  for (const options of [scripts, styles]) await (await esbuild.context(options)).watch();
  console.log("islands: watching");
} else {
  await rm(out, { recursive: true, force: true });
  await copyHtmx();
  const [built] = await Promise.all([buildScripts(), existsSync(styles.entryPoints.shop) && esbuild.build(styles)]);
  await checkBudget(built.metafile.outputs);
  await report();
}
