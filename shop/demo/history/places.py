"""Names, streets and towns that the demo's customers are put together from."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A country: how many of a hundred customers live there, its kind of names, numbers kept for fiction, and towns
    as (city, state, postcode)."""

    weight: int
    names: str
    phone: str
    cities: tuple[tuple[str, str, str], ...]


INDIAN, ENGLISH, GULF = "indian", "english", "gulf"
NAMES = {
    INDIAN: (
        "Aarav Aditi Ananya Arjun Asha Bhavna Chetan Deepa Divya Farhan Gauri Gita Harish Imran Isha Jaya Kabir Kavya "
        "Kiran Lakshmi Madhav Manish Meera Mohan Nandini Neha Nikhil Padma Pooja Pranav Priya Rahul Ravi Rekha Rohan "
        "Sana Sanjay Shreya Sneha Suresh Tara Uma Varun Vidya Vikram Yusuf Zoya",
        "Agarwal Ahmed Bhat Bose Chauhan Das Desai Deshmukh Gill Gupta Iyer Jain Joshi Kapoor Kaur Khan Kulkarni Kumar "
        "Mehta Menon Mishra Nair Naidu Patel Pillai Rao Reddy Saxena Sen Shah Sharma Shetty Singh Thomas Verma",
    ),
    ENGLISH: (
        "Alice Anjali Ben Chloe Daniel Emily Grace Hannah Jack James Kate Leela Liam Maya Megan Nina Oliver Rachel "
        "Ravi Sam Sophie Tom Vivek Zara",
        "Baker Brown Carter Clarke Cooper Davies Evans Green Harris Hill Khan Lewis Martin Patel Shah Singh Taylor "
        "Turner Walker Wilson Wright",
    ),
    GULF: (
        "Ahmed Aisha Fatima Hassan Khalid Layla Mariam Nasser Noor Omar Priya Rania Salim Sara Suresh Yusuf",
        "Abbas Ali Farooq Haddad Hussain Iqbal Kumar Mansour Menon Nair Rahman Saleh Syed",
    ),
}
STREETS = {
    INDIAN: ("Temple Road", "Gandhi Road", "Lake View Road", "Station Road", "2nd Cross, Jasmine Layout", "Market Lane",
             "Neem Tree Street", "Park Avenue", "Hill Road", "Old Mill Road", "Mango Grove", "Tulsi Nagar"),
    ENGLISH: ("Maple Street", "Orchard Road", "Church Lane", "Station Road", "Oak Avenue", "Mill Lane", "Park View",
              "Willow Close", "Harbour Street", "King's Walk"),
    GULF: ("Palm Street", "Marina Walk", "Corniche Road", "Garden Tower", "Date Grove Street", "Creek Road"),
}  # fmt: skip
PLACES = {
    "IN": Place(66, INDIAN, "9876500{:03}", (
        ("Mumbai", "Maharashtra", "400001"), ("Mumbai", "Maharashtra", "400050"), ("Pune", "Maharashtra", "411001"),
        ("Bengaluru", "Karnataka", "560001"), ("Bengaluru", "Karnataka", "560034"), ("Mysuru", "Karnataka", "570001"),
        ("New Delhi", "Delhi", "110001"), ("New Delhi", "Delhi", "110016"), ("Gurugram", "Haryana", "122001"),
        ("Chennai", "Tamil Nadu", "600001"), ("Coimbatore", "Tamil Nadu", "641001"),
        ("Hyderabad", "Telangana", "500001"), ("Kolkata", "West Bengal", "700001"), ("Jaipur", "Rajasthan", "302001"),
        ("Ahmedabad", "Gujarat", "380001"), ("Surat", "Gujarat", "395001"), ("Kochi", "Kerala", "682001"),
        ("Lucknow", "Uttar Pradesh", "226001"), ("Indore", "Madhya Pradesh", "452001"),
        ("Bhubaneswar", "Odisha", "751001"), ("Guwahati", "Assam", "781001"), ("Chandigarh", "Chandigarh", "160017"),
    )),
    "US": Place(13, ENGLISH, "2025550{:03}", (
        ("Edison", "New Jersey", "08817"), ("Fremont", "California", "94536"), ("Houston", "Texas", "77002"),
        ("Chicago", "Illinois", "60601"), ("Seattle", "Washington", "98101"), ("Atlanta", "Georgia", "30303"),
    )),
    "GB": Place(7, ENGLISH, "7700900{:03}", (
        ("London", "", "E1 6AN"), ("Leicester", "", "LE1 1AA"), ("Birmingham", "", "B1 1AA"),
        ("Manchester", "", "M1 1AE"),
    )),
    "AE": Place(6, GULF, "501234{:03}", (
        ("Dubai", "Dubai", ""), ("Abu Dhabi", "Abu Dhabi", ""), ("Sharjah", "Sharjah", ""),
    )),
    "AU": Place(3, ENGLISH, "491570{:03}", (
        ("Sydney", "New South Wales", "2000"), ("Melbourne", "Victoria", "3000"),
    )),
    "CA": Place(3, ENGLISH, "6135550{:03}", (
        ("Toronto", "Ontario", "M5H 2N2"), ("Vancouver", "British Columbia", "V6B 1A1"),
    )),
    "SG": Place(2, ENGLISH, "91234{:03}", (("Singapore", "", "048619"),)),
}  # fmt: skip
