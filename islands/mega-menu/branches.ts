import { useEffect, useState } from "react";
import { fetchPage } from "../api";

/** What is below the top categories, by their addresses: undefined while it is on its way, null where it did not come. */
export type Branches = ReadonlyMap<string, HTMLElement> | null | undefined;

/** The sections of the page of all categories, whose address the server's markup holds. */
export function useBranches(fallback: Element): Branches {
  const [address] = useState(() => fallback.querySelector<HTMLElement>("[data-categories]")!.dataset["categories"]!);
  const [branches, setBranches] = useState<Branches>();
  useEffect(() => {
    const sections = (page: Document) => page.querySelectorAll<HTMLElement>("[data-branch]");
    fetchPage(address)
      .then((page) => new Map([...sections(page)].map((section) => [section.dataset["branch"] ?? "", section])))
      .catch(() => null)
      .then(setBranches);
  }, [address]);
  return branches;
}
