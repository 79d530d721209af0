// Every island by the name that templates use. One lazy chunk: they are small, React (react.ts) is not.
import BuyBox from "./buy-box/BuyBox";
import Cart from "./cart/Cart";
import Filters from "./filters/Filters";
import Gallery from "./gallery/Gallery";
import MegaMenu from "./mega-menu/MegaMenu";
import MenuSheet from "./mega-menu/MenuSheet";
import CountryPicker from "./pickers/CountryPicker";
import CurrencyPicker from "./pickers/CurrencyPicker";

export const islands = {
  "buy-box": BuyBox,
  cart: Cart,
  filters: Filters,
  gallery: Gallery,
  "mega-menu": MegaMenu,
  "menu-sheet": MenuSheet,
  "country-picker": CountryPicker,
  "currency-picker": CurrencyPicker,
};
