import { useEffect, useMemo, useRef, useState } from "react";
import { Adopt } from "../adopt";
import { Icon } from "../icons";
import type { Fallback } from "../react";
import { t } from "../texts";
import { useBranches } from "./branches";
import { rowsIn, topRows, type Row } from "./rows";

/** The menu on phones, one level at a time: a branch slides in over the level before, Back slides it out. */
export default function MenuSheet({ fallback }: Fallback) {
  const [tops] = useState(() => topRows(fallback));
  const branches = useBranches(fallback);
  const rows = useMemo(
    () => tops.map((top) => (branches === undefined ? top : { ...top, below: top.below && rowsIn(branches?.get(top.key)) })),
    [tops, branches],
  );
  const [path, setPath] = useState<string[]>([]);
  const root = useRef<HTMLDivElement>(null);
  const openers = useRef<HTMLElement[]>([]);
  const levels = levelsOn(path, rows);

  useEffect(() => {
    if (path.length) root.current?.querySelector<HTMLElement>(".sheet__level:last-child .sheet__back")?.focus();
  }, [path]);

  function enter(row: Row, opener: HTMLElement) {
    openers.current.push(opener);
    setPath([...path, row.key]);
  }

  function leave() {
    setPath(path.slice(0, -1));
    const opener = openers.current.pop();
    requestAnimationFrame(() => opener?.focus()); // once its level is no longer inert
  }

  return (
    <div
      ref={root}
      className="sheet__levels"
      onKeyDown={(event) => event.key === "Escape" && levels.length > 0 && (event.stopPropagation(), leave())}
    >
      <ul className="sheet__list" inert={levels.length > 0}>
        <Rows rows={rows} className="sheet__top" enter={enter} />
      </ul>
      {levels.map((level, depth) => (
        <div key={`${depth}-${level.key}`} className="sheet__level" inert={depth < levels.length - 1}>
          <button type="button" className="sheet__back" aria-label={t("Back from {name}", { name: level.name })} onClick={leave}>
            <Icon name="chevron-left" size={20} />
            {level.name}
          </button>
          <ul className="sheet__children" aria-busy={!branches}>
            <Rows rows={level.below ?? []} className="sheet__row" enter={enter} />
          </ul>
        </div>
      ))}
    </div>
  );
}

/** The rows that were entered, as far as there is something below them. */
function levelsOn(path: string[], rows: Row[]): Row[] {
  const levels: Row[] = [];
  for (const key of path) {
    const row = (levels.at(-1)?.below ?? rows).find((each) => each.key === key);
    if (!row?.below) break;
    levels.push(row);
  }
  return levels;
}

interface RowsProps {
  rows: Row[];
  className: string;
  enter: (row: Row, opener: HTMLElement) => void;
}

function Rows({ rows, className, enter }: RowsProps) {
  return rows.map((row) =>
    row.below ? (
      <li key={row.key}>
        <button type="button" className={className} data-replay={row.key} onClick={(event) => enter(row, event.currentTarget)}>
          <Adopt as="span" className="sheet__face" nodes={row.face} />
          <Icon name="chevron-right" size={20} />
        </button>
      </li>
    ) : (
      <Adopt as="li" key={row.key} nodes={row.link} />
    ),
  );
}
