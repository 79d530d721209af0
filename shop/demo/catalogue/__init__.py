"""What the demo shop sells, in our own words. Brands, makers and licences are invented.

brands.txt categories.txt concerns.txt     the shelves
forms.py                                   capsules, oils, jams …: pack, sizes, directions, tax
herbs.txt                                  single plants, each in the forms it is sold in
products/*.txt                             everything else, one product a line
reading.py                                 turns all of it into ProductPlan values
"""
